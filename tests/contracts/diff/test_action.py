"""The GitHub Action's own shell steps, run as a runner would: inputs as environment, outputs and summary as files."""

import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

ROOT = Path(__file__).parents[3]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
RUN = "from wekadocs_contracts.commands.main import main; main()"


@pytest.fixture
def action(released, tmp_path):
    """Runs the step that diffs, with the action's inputs; what it leaves behind comes back."""
    commands = tmp_path / "bin"
    commands.mkdir()
    script = commands / "wekadocs-contracts"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{RUN}" "$@"\n', "utf-8")
    script.chmod(0o755)

    def run(job: dict[str, str] | None = None, **given: str):
        inputs = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()}
        inputs |= {name.replace("_", "-"): value for name, value in given.items()}
        step = next(step for step in ACTION["runs"]["steps"] if step.get("id") == "diff")
        files = {name: tmp_path / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            path.write_text("", "utf-8")
        known = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "MCP_", "GIT_"))}
        known |= {name: filled(value, inputs) for name, value in step["env"].items()}
        known |= {name: str(path) for name, path in files.items()} | {
            "RUNNER_TEMP": str(tmp_path),
            "GITHUB_ACTIONS": "true",
        }
        known |= {"PATH": f"{commands}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src"), "HOME": str(tmp_path)}
        known |= {"GITHUB_ACTION_PATH": str(ROOT), **(job or {})}
        (tmp_path / "step.sh").write_text(step["run"], "utf-8")
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(tmp_path / "step.sh")]
        done = subprocess.run(shell, cwd=released.folder, env=known, capture_output=True, text=True, timeout=120)
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text("utf-8").splitlines())
        return done, outputs, files["GITHUB_STEP_SUMMARY"].read_text("utf-8")

    run.repository = released
    return run


def filled(value: str, inputs: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: inputs[match[1]], str(value))


def test_a_break_is_annotated_summed_up_and_fails_the_job(action):
    action.repository.edit(("maximum: 5", "maximum: 3"))
    done, outputs, summary = action()
    assert done.returncode == 1, done.stderr
    assert "::error title=maximum-narrowed%3A demo.hello,file=contracts/hello.v1.yaml,line=17," in done.stdout
    assert outputs == {**outputs, "verdict": "breaking", "exit_code": "1", "breaking_count": "1"}
    assert set(ACTION["outputs"]) <= set(outputs)
    assert "🔴 breaking" in summary


def test_no_change_passes_and_still_says_so(action):
    done, outputs, summary = action(base="git:v1.0.0", strictness="strict", max_tokens_increase="5")
    assert (done.returncode, outputs["verdict"]) == (0, "none"), done.stderr
    assert "no change" in summary


def test_what_cannot_be_read_and_what_makes_no_sense_fails(action):
    assert action(head="contracts")[0].returncode == 2
    done, _, _ = action(base="git:nowhere")
    assert done.returncode == 2
    assert "git fetch --unshallow" in done.stderr


def test_inputs_are_data_and_never_script(action, tmp_path):
    bait = tmp_path / "bait"
    done, _, _ = action(base=f"$(touch {bait})")
    assert (done.returncode, bait.exists()) == (2, False)
    scripts = [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]
    assert not [script for script in scripts if "${{" in script]


class GitHub(BaseHTTPRequestHandler):
    """Comments of a pull request as GitHub's REST API documents them: pages by Link, POST makes, PATCH edits."""

    comments: list[dict[str, Any]]
    asked: list[tuple[str, str]]
    refuses = False

    def do_GET(self):
        url = urlsplit(self.path)
        page = int(parse_qs(url.query).get("page", ["1"])[0])
        link = f'<{self.server.home}{url.path}?per_page=100&page={page + 1}>; rel="next"' if page < 3 else ""
        self._answer(200, self.comments[(page - 1) * 2 : page * 2], link)

    def do_POST(self):
        text = self._body()
        self.comments.append({"id": 900 + len(self.comments), "body": text, "user": {"type": "Bot"}})
        self._answer(201, self.comments[-1])

    def do_PATCH(self):
        number = int(self.path.rsplit("/", 1)[-1])
        comment = next(each for each in self.comments if each["id"] == number)
        comment["body"] = self._body()
        self._answer(200, comment)

    def _body(self):
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]

    def _answer(self, status, data, link=""):
        self.asked.append((self.command, urlsplit(self.path).path))
        allowed = self.headers["Authorization"] == "Bearer job-token" and not self.refuses
        self.send_response(status if allowed else 403)
        self.send_header("Link", link)
        self.end_headers()
        self.wfile.write(json.dumps(data).encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def github():
    strangers = [{"id": n, "body": f"<!-- wekadocs-contracts -->\n{n}", "user": {"type": "User"}} for n in (1, 2, 3)]
    handler = type("Handler", (GitHub,), {"comments": strangers, "asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.home = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    handler.job = {"GITHUB_API_URL": server.home, "GITHUB_REPOSITORY": "o/r", "GITHUB_REF": "refs/pull/7/merge",
                   "GH_TOKEN": "job-token"}  # fmt: skip
    yield handler
    server.shutdown()
    server.server_close()


def test_a_pull_request_has_one_comment_that_is_edited(action, github):
    action.repository.edit(("maximum: 5", "maximum: 3"))
    first, _, _ = action(github.job, comment="true")
    assert (first.returncode, len(github.comments)) == (1, 4), first.stderr
    assert github.comments[3]["body"].startswith("<!-- wekadocs-contracts -->\n## Contract diff")
    assert "maximum lowered 5 → 3" in github.comments[3]["body"]
    action.repository.edit(("maximum: 3", "maximum: 4"))
    github.asked.clear()
    action(github.job, comment="true")
    assert len(github.comments) == 4
    assert "maximum lowered 5 → 4" in github.comments[3]["body"]
    assert github.asked[-1] == ("PATCH", "/repos/o/r/issues/comments/903")
    assert [each["body"][-1] for each in github.comments[:3]] == ["1", "2", "3"], "others' words stay"
    github.asked.clear()
    action(github.job, comment="true")
    assert {method for method, _ in github.asked} == {"GET"}, "nothing new, nothing written"


def test_a_job_that_may_not_comment_is_warned_and_judged_as_before(action, github):
    github.refuses = True
    done, outputs, _ = action(github.job, comment="true")
    assert (done.returncode, outputs["verdict"]) == (0, "none"), done.stderr
    assert "::warning title=contracts::the comment could not be written" in done.stdout
    github.asked.clear()
    action({**github.job, "GITHUB_REF": "refs/heads/main"}, comment="true")
    assert not github.asked


def test_hooks_name_commands_that_exist():
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    for hook in hooks:
        script, *words = hook["entry"].split()
        assert (ROOT / script).stat().st_mode & 0o111, "pre-commit runs it from its clone"
        command = [sys.executable, "-c", RUN, *words, "--help"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        assert subprocess.run(command, capture_output=True, env=environment, timeout=60).returncode == 0, hook["id"]
