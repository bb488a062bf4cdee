"""Taking documents in, as a user does it: the command line on a folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from wekadocs_corpus.configured import open_truth
from wekadocs_corpus.embedding.profiles import STATIC
from wekadocs_corpus.graph.extraction.extract import extract
from wekadocs_corpus.ingest.reading.prepare import prepare
from wekadocs_corpus.model import Document, GraphPart
from wekadocs_corpus.store.writing.nodes import ENTITY, TYPE
from wekadocs_mcp.cli.main import cli

PAGE = "# {title}\n\nHow to {title} a filesystem.\n\n## Steps\n\n1. Run `stor {title}`.\n2. Look at the output.\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    for name in ("mount", "create", "resize"):
        write(folder / "guides" / f"{name}.md", PAGE.format(title=name))
    return folder


def write(file: Path, text: str) -> None:
    """As if written a minute ago: a file as young as the ingest itself is always read again."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    then = time.time_ns() - 60_000_000_000
    os.utime(file, ns=(then, then))


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in arguments], prog_name="wekadocs-mcp")


def ingest(*arguments: str | Path, code: int = 0) -> dict[str, Any]:
    result = run("ingest", *arguments, "--json")
    assert result.exit_code == code, result.output
    last: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return last


def status() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("status", "--json").stdout)
    return found


def test_a_folder_is_taken_in_and_counted(docs: Path) -> None:
    done = ingest(docs)
    assert (done["event"], done["added"], done["failed"]) == ("done", 3, [])
    found = status()
    assert found["documents"] == 3
    assert found["chunks"] == done["chunks"] >= 3
    assert found["doc_tags"]["guides"]["documents"] == 3
    assert found["model"]


def test_what_is_unchanged_is_not_read_again(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(docs)
    monkeypatch.setattr(
        "wekadocs_corpus.ingest.reading.readers.Readers.read", lambda *_: pytest.fail("a file was read")
    )
    done = ingest(docs)
    assert (done["added"], done["changed"], done["unchanged"]) == (0, 0, 3)


def test_a_mistake_of_ours_with_one_file_keeps_no_other_out(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(document: Document, rules: object) -> GraphPart:
        if document.place.path.endswith("mount.md"):
            raise ValueError(document.parsed.text)
        return extract(document, None)

    monkeypatch.setattr("wekadocs_corpus.ingest.reading.prepare.extract", wrong)
    here = lambda _, batch: prepare(batch, None, STATIC.id)  # noqa: E731
    monkeypatch.setattr("wekadocs_corpus.ingest.reading.readers.Readers.read", here)
    done = ingest(docs, code=1)
    assert done["failed"] == [{"path": str(docs / "guides" / "mount.md"), "reason": "ValueError"}]
    assert status()["documents"] == 2


def test_a_file_written_again_with_the_same_bytes_is_unchanged(docs: Path) -> None:
    ingest(docs)
    before = open_truth(Path(os.environ["WEKADOCS_DATA"])).sequence()
    os.utime(docs / "guides" / "mount.md")
    assert ingest(docs)["unchanged"] == 3
    assert open_truth(Path(os.environ["WEKADOCS_DATA"])).sequence() == before


def test_changes_and_deletions_are_seen(docs: Path) -> None:
    ingest(docs)
    write(docs / "guides" / "mount.md", "# Mount\n\nAll new.\n")
    (docs / "guides" / "create.md").unlink()
    write(docs / "new.md", "# New\n")
    done = ingest(docs)
    assert (done["added"], done["changed"], done["deleted"], done["unchanged"]) == (1, 1, 1, 1)
    assert status()["documents"] == 3


def orphans() -> int:
    """Vectors that no chunk has, entities that no document speaks of, names of documents that are gone."""
    with open_truth(Path(os.environ["WEKADOCS_DATA"])).reading() as connection:
        counts = [
            "SELECT count(*) FROM embeddings WHERE embedded_hash NOT IN (SELECT embedded_hash FROM chunks)",
            f"SELECT count(*) FROM entities WHERE number << 2 | {ENTITY} NOT IN "
            "(SELECT source FROM edges UNION SELECT target FROM edges)",
            "SELECT count(*) FROM name_places WHERE document NOT IN (SELECT document FROM names)",
        ]
        return sum(connection.execute(count).fetchone()[0] for count in counts)


def test_nothing_stays_behind_of_what_was_changed_or_deleted(docs: Path) -> None:
    ingest(docs)
    write(docs / "guides" / "mount.md", "# Attach\n\nAll new, see the Attach Guide and `stor attach --now`.\n")
    ingest(docs)
    assert orphans() == 0
    (docs / "guides" / "mount.md").unlink()
    ingest(docs)
    assert orphans() == 0
    (docs / "guides" / "create.md").rename(docs / "guides" / "make.md")
    assert ingest(docs)["deleted"] == 1
    assert orphans() == 0


def test_a_name_becomes_an_edge_when_a_document_defines_it_and_stays_right_when_it_changes(docs: Path) -> None:
    def edges() -> list[Any]:
        with open_truth(Path(os.environ["WEKADOCS_DATA"])).reading() as connection:
            ask = f"SELECT weight FROM edges JOIN entities AS n ON n.number << 2 | {ENTITY} = target "
            found = connection.execute(f"{ask} WHERE n.key = 'quota ledger' AND type = ?", (TYPE["MENTIONS"],))
            return [row[0] for row in found]

    write(docs / "guides" / "mount.md", "# Mount\n\nLook into the Quota Ledger; the Quota Ledger knows.\n")
    ingest(docs)
    assert edges() == []
    write(docs / "ledger.md", "# Quota Ledger\n\nWho has what.\n")
    ingest(docs)
    assert edges() == [2.0]
    write(docs / "guides" / "mount.md", "# Mount\n\nLook into the Quota Ledger.\n")
    ingest(docs)
    assert edges() == [1.0]
    (docs / "guides" / "mount.md").unlink()
    ingest(docs)
    assert edges() == []


def test_a_part_of_a_root_can_be_ingested_again_without_doubles(docs: Path) -> None:
    ingest(docs)
    ingest(docs / "guides")
    assert status()["documents"] == 3
    (docs / "guides" / "create.md").unlink()
    assert ingest(docs)["deleted"] == 1


def places() -> dict[str, tuple[str, str]]:
    """path → doc_tag and repository."""
    with open_truth(Path(os.environ["WEKADOCS_DATA"])).reading() as connection:
        rows = connection.execute("SELECT path, doc_tag, repository FROM documents").fetchall()
    return {path: (tag, repository) for path, tag, repository in rows}


@pytest.mark.parametrize("part", ["guides/mount.md", "guides/*.md", "guides"])
def test_a_part_of_a_folder_ingested_before_keeps_its_place(docs: Path, part: str) -> None:
    ingest(docs, "--repository", "handbook")
    before = places()
    assert before["guides/mount.md"] == ("guides", "handbook")
    done = ingest(docs / part)
    assert (done["added"], done["changed"], done["deleted"]) == (0, 0, 0)
    write(docs / "guides" / "mount.md", "# Mount\n\nAll new.\n")
    done = ingest(docs / part)
    assert (done["added"], done["changed"], done["deleted"]) == (0, 1, 0)
    assert places() == before


def test_a_part_obeys_the_ignore_files_of_its_folder_and_can_be_forgotten(docs: Path) -> None:
    (docs / ".wekadocsignore").write_text("draft.md\n")
    ingest(docs)
    write(docs / "guides" / "draft.md", "# Draft\n")
    write(docs / "start.md", "# Start\n")
    assert ingest(docs / "guides")["added"] == 0
    assert ingest(docs)["added"] == 1
    assert ingest(docs / "guides", "--remove")["deleted"] == 3
    assert list(places()) == ["start.md"]


def test_two_folders_may_hold_the_same_relative_path(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name / "README.md", f"# {name}\n")
    ingest(tmp_path / "one", tmp_path / "two")
    assert status()["documents"] == 2


def test_files_that_cannot_be_read_are_told_and_the_rest_is_in(docs: Path, tmp_path: Path) -> None:
    config = tmp_path / "tools.yaml"
    config.write_text("plugins: {corpus: {ingest: {max_file_bytes: 2000}}}\n")
    write(docs / "big.md", "x" * 3000)
    done = ingest(docs, "--config", config, code=1)
    assert [failure["path"] for failure in done["failed"]] == [(docs / "big.md").as_posix()]
    assert "max_file_bytes" in done["failed"][0]["reason"]
    assert status()["documents"] == 3


def test_a_path_that_is_not_there_changes_nothing(docs: Path, tmp_path: Path) -> None:
    ingest(docs)
    result = run("ingest", tmp_path / "nowhere")
    assert result.exit_code == 2
    assert "no such file or folder" in result.stderr
    assert status()["documents"] == 3


def test_a_dry_run_changes_nothing(docs: Path) -> None:
    result = run("ingest", docs, "--dry-run")
    assert result.exit_code == 0
    assert "3 to read" in result.stderr
    assert status()["documents"] == 0


def test_a_dry_run_looks_into_files_too_young_to_be_told_by_their_times(docs: Path) -> None:
    for name in ("mount", "create"):
        os.utime(docs / "guides" / f"{name}.md")
    ingest(docs)
    assert "0 to read, 0 to remove, 3 unchanged" in run("ingest", docs, "--dry-run").stderr
    (docs / "guides" / "mount.md").write_text("# Mount\n\nOther.\n")
    assert "1 to read, 0 to remove, 2 unchanged" in run("ingest", docs, "--dry-run").stderr


def test_documents_can_be_forgotten(docs: Path) -> None:
    ingest(docs)
    assert ingest(docs, "--remove")["deleted"] == 3
    assert status()["documents"] == 0


def test_the_scope_is_stamped(docs: Path) -> None:
    ingest(docs, "--project", "other", "--environment", "dev", "--repository", "handbook")
    truth = open_truth(Path(os.environ["WEKADOCS_DATA"]))
    with truth.reading() as connection:
        rows = set(connection.execute("SELECT project, environment, repository FROM documents"))
    assert rows == {("other", "dev", "handbook")}


def test_many_files_go_through_several_processes(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    for number in range(40):
        write(folder / f"{number}.md", f"# Page {number}\n\n" + f"Words of page {number} go on and on. " * 900)
    done = ingest(folder)
    assert (done["added"], done["failed"]) == (40, [])
    assert status()["documents"] == 40


def test_the_data_directory_is_taken_after_the_command_too(docs: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    ingest(docs, "--data", other)
    assert status()["documents"] == 0
    assert json.loads(run("status", "--json", "--data", other).stdout)["documents"] == 3


def test_another_model_is_refused_until_everything_is_embedded_anew(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(docs)
    truth = open_truth(Path(os.environ["WEKADOCS_DATA"]))
    [(project, ours)] = truth.bindings().items()
    truth.bind(project, ours._replace(model="another-model"))
    result = run("ingest", docs)
    assert result.exit_code == 2
    assert "--reembed" in result.stderr
    ingest("--reembed")
    assert truth.binding(project) == ours
    assert ingest(docs)["unchanged"] == 3


def test_status_of_nothing_makes_nothing(tmp_path: Path) -> None:
    assert status()["documents"] == 0
    assert "wekadocs-mcp ingest DIR" in run("status").stdout
    assert not Path(os.environ["WEKADOCS_DATA"]).exists()


def test_workers_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    for number in range(300):
        write(folder / f"{number}.md", f"# Page {number}\n\n" + f"Words of page {number} go on and on. " * 400)
    command = [str(Path(sys.executable).with_name("wekadocs-mcp")), "ingest", str(folder), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # the first documents are in
        process.kill()
        process.communicate(timeout=60)  # ends when nobody holds the pipe any more
    assert ingest(folder)["failed"] == []
    assert status()["documents"] == 300


@pytest.mark.skipif(sys.platform == "win32", reason="ulimit is a POSIX shell's")
def test_a_limit_on_file_sizes_is_told_with_the_way_out_and_loses_nothing(docs: Path, tmp_path: Path) -> None:
    for number in range(40):
        write(
            docs / f"{number}.md", PAGE.format(title=f"page{number}") + " ".join(f"{number}w{n}" for n in range(2000))
        )
    line = f'ulimit -f 1500; "{Path(sys.executable).parent / "wekadocs-mcp"}" ingest "{docs}" --data "{tmp_path / "d"}"'
    result = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 2
    assert "ulimit -f" in result.stderr
    assert "Traceback" not in result.stderr
    done = ingest(docs, "--data", tmp_path / "d")
    assert done["added"] + done["unchanged"] == 43


def test_doctor_mends_a_full_text_index_that_lost_count(docs: Path) -> None:
    ingest(docs)
    truth = open_truth(Path(status()["data_dir"]))
    with truth.writing() as connection:
        connection.execute("UPDATE projects SET chunks = chunks + 5")
    truth.close()
    first, second = run("doctor"), run("doctor")
    assert (first.exit_code, second.exit_code) == (0, 0), first.output
    assert "disagree: mended" in first.output
    assert "disagree" not in second.output


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_an_ingest_that_is_told_to_stop_says_so_and_goes_on_next_time(docs: Path, tmp_path: Path, name: str) -> None:
    for number in range(400):
        write(docs / f"{number}.md", PAGE.format(title=f"page{number}") + f"word{number} " * 1000)
    command = [Path(sys.executable).parent / "wekadocs-mcp", "ingest", docs, "--json", "--data", tmp_path / "d"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["event"] == "progress"
        process.send_signal(getattr(signal, name))
        lines, complaints = process.stdout.readlines(), process.stderr.read()
    assert (process.returncode, complaints) == (130, "")
    stopped = json.loads(lines[-1])
    assert stopped["event"] == "stopped"
    done = ingest(docs, "--data", tmp_path / "d")
    assert done["added"] + done["unchanged"] == 403
    assert done["unchanged"] >= stopped["added"]
