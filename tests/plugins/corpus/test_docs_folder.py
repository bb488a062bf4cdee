"""`serve --docs DIR`: the folder is taken in first, then followed."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from wekadocs_mcp.cli.main import cli


def test_the_first_answer_is_from_the_folder(serve, tmp_path: Path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "mount.md").write_text("# Mount a filesystem\n\nRun `strata mount projects /mnt/projects` as root.\n")
    kb = serve(tmp_path / "data", corpus={"docs": str(docs)})
    answer = kb.ask("kb.search", {"query": "mount a filesystem"})
    assert [row["path"] for row in answer["results"]] == ["mount.md"]
    assert "ingest_running" not in answer.get("degraded", [])


def test_a_first_ingest_that_takes_long_is_told(serve, tmp_path: Path):
    kb = serve(tmp_path / "data")
    kb.state("corpus").filling = True
    error = kb.refused("kb.search", {"query": "mount a filesystem"})
    assert (error["code"], error["details"]["reason"], error["retryable"]) == (
        "BACKEND_UNAVAILABLE",
        "ingest_running",
        True,
    )


def test_a_folder_that_is_not_there_is_refused_at_once(tmp_path: Path):
    result = CliRunner().invoke(cli, ["serve", "--docs", str(tmp_path / "wrong")], prog_name="wekadocs-mcp")
    assert result.exit_code == 2
    assert f"--docs {tmp_path / 'wrong'}: is not a folder" in result.stderr
