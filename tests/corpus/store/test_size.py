"""What the database costs on disk, as `status` counts it."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

from click.testing import CliRunner

from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_mcp.cli.main import cli

OWN = Path(__file__).parents[3] / "docs"


def made_pages(folder: Path, count: int) -> None:
    """Pages of about 5 KB: paragraphs of our own documentation, shuffled under headings that link to each other."""
    dice = random.Random(1)
    files = [file for part in ("explanation", "how-to") for file in sorted((OWN / part).glob("*.md"))]
    texts = [file.read_text("utf-8") for file in files]
    parts = [part for text in texts for part in text.split("\n\n") if 80 < len(part) < 1200 and "```" not in part]
    folder.mkdir()
    for number in range(count):
        lines = [f"# Page {number}"]
        while sum(map(len, lines)) < 4500:
            lines += [f"## {' '.join(dice.choice(parts).split()[:4])}", *dice.sample(parts, 2)]
            lines.append(f"See [that page](page-{dice.randrange(count)}.md).")
        (folder / f"page-{number}.md").write_text("\n\n".join(lines), "utf-8")


def test_the_database_has_at_most_four_times_the_bytes_of_the_documents(tmp_path: Path) -> None:
    made_pages(tmp_path / "docs", 600)  # of 300 pages a tenth is what forty empty tables have, which grows with nothing
    runner = CliRunner()
    assert runner.invoke(cli, ["ingest", str(tmp_path / "docs"), "--json"]).exit_code == 0
    found = json.loads(runner.invoke(cli, ["status", "--json"]).stdout)
    assert found["documents"] == 600
    assert found["stored_bytes"] <= 4 * found["source_bytes"]


def test_an_ingest_beside_a_server_leaves_no_log_behind(tmp_path: Path) -> None:
    data = Path(os.environ["WEKADOCS_DATA"])
    server = SqliteTruth(data)
    try:
        assert server.counts().documents == 0
        made_pages(tmp_path / "docs", 20)
        assert CliRunner().invoke(cli, ["ingest", str(tmp_path / "docs"), "--json"]).exit_code == 0
        assert server.counts().documents == 20
        # What comes after the documents are in, such as when that was, is a page or two.
        assert (data / "corpus.db-wal").stat().st_size < 100_000
    finally:
        server.close()
