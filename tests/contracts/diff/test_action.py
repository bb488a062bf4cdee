"""The GitHub Action's own shell steps, run as a runner would: inputs as environment, outputs and summary as files."""

import os
import re
import subprocess
import sys
from pathlib import Path

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

    def run(**given: str):
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
    assert "::error title=maximum-narrowed%3A demo.hello,file=contracts/hello.v1.yaml,line=17::" in done.stdout
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


def test_hooks_name_commands_that_exist():
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    for hook in hooks:
        script, *words = hook["entry"].split()
        assert (ROOT / script).stat().st_mode & 0o111, "pre-commit runs it from its clone"
        command = [sys.executable, "-c", RUN, *words, "--help"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        assert subprocess.run(command, capture_output=True, env=environment, timeout=60).returncode == 0, hook["id"]
