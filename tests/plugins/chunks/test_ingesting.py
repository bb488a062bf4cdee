"""From a folder of papers to chunks with pages, sections and references, and to quotations found on their page."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import qdrant_fake
from citing import config, done, refused
from click.testing import CliRunner
from made_office import epub, paragraph, slides, word
from made_pdf import Page, lines, pdf

from wekadocs_mcp.cli.main import cli
from wekadocs_mcp.testing import Client, app_from, client_for

PAPER = pdf(
    lines("Journal of Layers 203", top=770)
    + lines("Clean Architecture", size=18, top=730)
    + lines("Introduction", size=14, top=690)
    + lines(
        "Source code dependencies must point only inward, toward the higher-level pol-",
        "icies of the \ufb01rm. Entities encapsulate enterprise-wide rules and they are used by inter-",
        top=660,
    ),
    lines("Journal of Layers 204", top=770)
    + lines("national companies in many different applications of the whole. It ends here.", top=720)
    + lines("Methods", size=14, top=680)
    + lines("The methods of this paper are plain and simple ones, as they should be.", top=650),
    outline=[(1, "Introduction", 1), (1, "Methods", 2)],
    labels="0 << /S /D /St 203 >>",
)
REFERENCES = [
    {"id": "martin2017", "title": "Clean Architecture", "DOI": "10.1000/clean", "issued": {"date-parts": [[2017]]}},
    {"id": "evans2003", "title": "Domain-Driven Design"},
]


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "layers.pdf").write_bytes(PAPER)
    (folder / "evans2003.docx").write_bytes(word(paragraph("Ubiquitous language is shared by all.")))
    (folder / "talk.pptx").write_bytes(slides(("Plan", ["A talk on bounded contexts."], "")))
    (folder / "book.epub").write_bytes(epub("<h1>One</h1><p>A book of aggregates and roots.</p>"))
    (folder / "notes.md").write_text("# Notes\n\nRepositories hide the store.\n")
    (tmp_path / "refs.json").write_text(json.dumps(REFERENCES))
    return folder


def settings(folder: Path, **more: Any) -> dict[str, Any]:
    project = {"folders": [str(folder)], "references": str(folder.parent / "refs.json"), **more}
    return config({"lab/papers": project, "lab/none": {}})


@pytest.fixture
def client(papers: Path, tmp_path: Path) -> Iterator[Client]:
    with client_for(settings(papers), toolsets=["citeloom"], data_dir=tmp_path / "data") as found:
        yield found


def ingest(client: Client, **arguments: Any) -> dict[str, Any]:
    return done(client.call("ingest_documents", project="lab/papers", **arguments))


def test_every_format_is_found_with_what_a_citation_needs(client: Client) -> None:
    report = ingest(client)
    assert (report["added"], report["failed"], report["complete"]) == (5, 0, True)
    assert {each["path"]: each["citekey"] for each in report["files"]} == {
        "layers.pdf": "martin2017",
        "evans2003.docx": "evans2003",
        "talk.pptx": None,
        "book.epub": None,
        "notes.md": None,
    }
    assert sum("no reference matches" in each for each in report["warnings"]) == 3
    found = done(client.call("query_hybrid", project="lab/papers", query="dependencies point inward", top_k=1))
    (row,) = found["items"]
    assert (row["citekey"], row["doi"], row["section_path"]) == ("martin2017", "10.1000/clean", ["Introduction"])
    assert row["page_span"] == [1, 2]
    assert row["page_labels"] == ["203", "204"]
    slide = done(client.call("find_chunks", project="lab/papers", query="bounded contexts", top_k=1))["items"][0]
    assert (slide["page_span"], slide["section"]) == ([1, 1], "Plan")


def test_a_quotation_is_found_on_its_page_however_it_was_printed(client: Client) -> None:
    ingest(client)

    def place(quote: str) -> tuple[bool, list[int], list[str]]:
        (found,) = done(client.call("find_quote", project="lab/papers", quote=quote, top_k=1))["items"]
        return found["verbatim"], found["page_span"], found["page_labels"]

    assert place("toward the higher-level policies of the firm") == (True, [1, 1], ["203", "203"])
    assert place("higher-level pol-\nicies of the \ufb01rm") == (True, [1, 1], ["203", "203"])
    assert place("companies in many different applications") == (True, [2, 2], ["204", "204"])
    assert place("used by international companies in many") == (True, [1, 2], ["203", "204"])


def test_quotations_are_checked_against_the_page_as_it_is_printed_or_counted(client: Client) -> None:
    ingest(client)
    quotes = [
        {"quote": "dependencies must point only inward", "citekey": "martin2017", "pages": [203, 203]},
        {"quote": "dependencies must point only inward", "citekey": "martin2017", "pages": [1, 1]},
        {"quote": "dependencies must point only inward", "citekey": "martin2017", "pages": [204, 204]},
        {"quote": "companies in many different applications", "citekey": "martin2017", "pages": [204, 204]},
        {"quote": "dependencies must point only outward", "citekey": "martin2017", "pages": [203, 203]},
    ]
    rows = done(client.call("verify_quotes", project="lab/papers", quotes=quotes))["quotes"]
    assert [row["status"] for row in rows] == ["verified", "verified", "other_page", "verified", "changed"]


def test_only_what_changed_is_read_and_what_is_gone_is_forgotten(client: Client, papers: Path) -> None:
    first = ingest(client)
    again = ingest(client)
    assert (again["unchanged"], again["files"], again["chunks_written"]) == (5, [], 0)
    (papers / "notes.md").write_text("# Notes\n\nFactories make aggregates.\n")
    (papers / "book.epub").unlink()
    changed = ingest(client)
    assert (changed["changed"], changed["removed"], changed["unchanged"]) == (1, 1, 3)
    assert changed["chunks_removed"] == 1
    size = done(client.call("inspect_collection", project="lab/papers"))["size"]
    assert size == first["chunks_written"] - 1
    assert (
        done(client.call("find_quote", project="lab/papers", quote="Repositories hide the store"))["verbatim"] is False
    )


def test_ids_are_those_of_the_document_its_place_and_the_model(client: Client) -> None:
    from hashlib import sha256

    report = ingest(client)
    doc = f"sha256_{sha256(PAPER).hexdigest()[:16]}"
    assert next(each["doc"] for each in report["files"] if each["path"] == "layers.pdf") == doc
    found = done(client.call("find_quote", project="lab/papers", quote="The methods of this paper"))["items"][0]
    # The first chunk of the document has the number 0; its location is the section path.
    wanted = {sha256(f"{doc}:Methods:{report['embed_model']}:{n}".encode()).hexdigest()[:16] for n in range(4)}
    assert found["id"] in wanted


def test_what_cannot_be_read_is_told_by_file_and_page(client: Client, papers: Path) -> None:
    (papers / "half.pdf").write_bytes(pdf(lines("Words that are there."), Page(picture=True), Page(picture=True)))
    (papers / "scan.pdf").write_bytes(pdf(Page(picture=True)))
    (papers / "locked.pdf").write_bytes(pdf(lines("x"), password="secret"))
    (papers / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    (papers / "copy.pdf").write_bytes(PAPER)
    report = ingest(client)
    told = {each["path"]: each for each in report["files"]}
    assert told["half.pdf"]["unread_pages"][0]["pages"] == [2, 3]
    assert {path for path, each in told.items() if each["status"] == "failed"} == {
        "scan.pdf",
        "locked.pdf",
        "broken.pdf",
    }
    assert "encrypted" in told["locked.pdf"]["reason"]
    assert "text layer" in told["scan.pdf"]["reason"]
    assert report["duplicate"] == 1
    assert report["added"] == 6


def test_a_reference_that_comes_later_is_matched(client: Client, papers: Path) -> None:
    ingest(client)
    later = [*REFERENCES, {"id": "talk", "title": "A talk"}]
    (papers.parent / "refs.json").write_text(json.dumps(later))
    report = ingest(client)
    assert [(each["path"], each["citekey"]) for each in report["files"]] == [("talk.pptx", "talk")]


def test_a_moved_file_keeps_one_set_of_chunks(client: Client, papers: Path) -> None:
    first = ingest(client)["chunks_written"]
    (papers / "sub").mkdir()
    (papers / "layers.pdf").rename(papers / "sub" / "layers.pdf")
    report = ingest(client)
    assert (report["changed"], report["removed"]) == (1, 0)
    assert done(client.call("inspect_collection", project="lab/papers"))["size"] == first


def test_what_was_left_unread_is_read_again_where_a_file_may_take_longer(papers: Path, tmp_path: Path) -> None:
    (papers / "scan.pdf").write_bytes(pdf(lines("A page of words."), Page(picture=True)))

    def counts(seconds: int) -> tuple[int, int]:
        given = settings(papers)
        given["plugins"]["corpus"] = {"ingest": {"max_file_seconds": seconds}}
        with client_for(given, toolsets=["citeloom"], data_dir=tmp_path / "data") as client:
            report = ingest(client)
        return report["changed"], report["unchanged"]

    assert [counts(60), counts(60), counts(90), counts(60)] == [(0, 0), (0, 6), (1, 5), (0, 6)]


def test_a_folder_that_is_gone_forgets_nothing(client: Client, papers: Path) -> None:
    first = ingest(client)["chunks_written"]
    shutil.move(papers, papers.with_name("elsewhere"))
    report = ingest(client)
    assert report["removed"] == 0
    assert any("is not there" in each for each in report["warnings"])
    assert done(client.call("inspect_collection", project="lab/papers"))["size"] == first


def test_only_named_paths_are_read_and_none_outside(client: Client, papers: Path) -> None:
    (papers.parent / "secret.md").write_text("# Secret\n")
    report = ingest(client, paths=["notes.md"])
    assert [each["path"] for each in report["files"]] == ["notes.md"]
    for path in ("../secret.md", str(papers.parent / "secret.md"), "/etc/passwd", "nothing.pdf", "../papers/notes.md"):
        refused(client.call("ingest_documents", project="lab/papers", paths=[path]), "INVALID_ARGUMENT")


def test_a_link_out_of_the_folder_is_not_followed(client: Client, papers: Path) -> None:
    (papers.parent / "secret.md").write_text("# Secret words\n")
    (papers / "link.md").symlink_to(papers.parent / "secret.md")
    assert "link.md" not in {each["path"] for each in ingest(client)["files"]}


def test_a_project_without_folders_says_what_to_set(client: Client) -> None:
    error = refused(client.call("ingest_documents", project="lab/none"), "INVALID_ARGUMENT")
    assert "plugins.chunks.projects.lab/none.folders" in error["message"]
    refused(client.call("ingest_documents", project="no/such"), "INVALID_PROJECT")


def test_a_project_whose_model_is_not_here_is_refused(papers: Path, tmp_path: Path) -> None:
    given = settings(papers, embedding_model="acme/other", dimension=3)
    with client_for(given, toolsets=["citeloom"], data_dir=tmp_path / "data") as client:
        refused(client.call("ingest_documents", project="lab/papers"), "INDEX_UNAVAILABLE")


def test_under_read_only_there_is_no_such_tool_and_nothing_is_watched(papers: Path, tmp_path: Path) -> None:
    given = {**settings(papers, watch=True), "server": {"read_only": True}}
    with client_for(given, toolsets=["citeloom"], data_dir=tmp_path / "data") as client:
        assert "ingest_documents" not in {each["name"] for each in client.app.tools_list()["tools"]}
        assert done(client.call("inspect_collection", project="lab/papers"))["size"] == 0


def test_a_watched_folder_is_read_without_a_call(papers: Path, tmp_path: Path) -> None:
    with client_for(settings(papers, watch=True), toolsets=["citeloom"], data_dir=tmp_path / "data") as client:
        wait_for(client, "Repositories hide the store")
        (papers / "new.pdf").write_bytes(pdf(lines("Anticorruption layers keep models apart.")))
        wait_for(client, "Anticorruption layers keep models apart")


def wait_for(client: Client, quote: str) -> None:
    for _ in range(600):
        if done(client.call("find_quote", project="lab/papers", quote=quote))["verbatim"]:
            return
        threading.Event().wait(0.05)
    raise AssertionError(f"{quote!r} was never taken in")


def run(*words: object) -> Any:
    return CliRunner().invoke(cli, [str(word) for word in words], prog_name="wekadocs-mcp")


def test_the_command_does_the_same(papers: Path, tmp_path: Path) -> None:
    file = tmp_path / "papers.yaml"
    file.write_text(
        "plugins:\n  chunks:\n    enabled: true\n    projects:\n"
        "      lab/papers: {folders: [papers], references: refs.json}\n      lab/none: {}\n"
    )
    before = ("--config", file, "--data", tmp_path / "data", "chunks", "ingest")
    first = run(*before, "lab/papers", "--json")
    assert first.exit_code == 0, first.output
    assert json.loads(first.stdout)["added"] == 5
    (papers / "scan.pdf").write_bytes(pdf(Page(picture=True)))
    again = run(*before, "lab/papers")
    assert again.exit_code == 1
    assert "scan.pdf: its only page cannot be read" in again.stderr
    assert run(*before, "lab/none").exit_code == 2
    unknown = run(*before, "lab/unknown")
    assert unknown.exit_code == 2
    assert "Available projects" in unknown.stderr


def test_progress_is_told(papers: Path, tmp_path: Path) -> None:
    with client_for(settings(papers), toolsets=["citeloom"], data_dir=tmp_path / "data") as client:
        steps = client.call("ingest_documents", project="lab/papers").progress
        assert [step[:2] for step in steps] == [(done, 5) for done in range(1, 6)]
        assert {step[2] for step in steps} == {each.name for each in papers.iterdir()}


def test_a_run_that_is_stopped_leaves_whole_documents_and_the_next_goes_on(papers: Path, tmp_path: Path) -> None:
    from wekadocs_chunks.ingesting.run import Ingest, target_of
    from wekadocs_chunks.projects import configured
    from wekadocs_chunks.state import ChunksState
    from wekadocs_corpus import Area, Corpus, stopping

    plugins = app_from(settings(papers), data_dir=tmp_path / "data").plugins
    given = {name: plugins[name].spec.settings for name in ("corpus", "chunks")}

    async def stopped() -> tuple[Any, list[str]]:
        corpus = await Corpus.open(tmp_path / "data", given["corpus"], Area("p", "e"))
        state = ChunksState(corpus, cast("Any", None), configured(given["chunks"]))
        project = state.project("lab/papers")
        work = Ingest(state, project, await target_of(state, project), time.monotonic() + 600)

        def tell(done: int, total: int, path: str) -> None:
            stop = stopping.current()
            assert stop is not None
            stop.tell()  # as a client does that cancels its call

        report = await stopping.in_thread(work.run, (), tell)
        docs = await corpus.in_thread(state.collections.look, lambda view: view.documents(1))
        await corpus.close()
        return report, docs

    report, docs = asyncio.run(stopped())
    assert report.interrupted
    assert 1 <= len(docs) < 5
    assert set(docs) == {each.doc for each in report.files}
    with client_for(settings(papers), toolsets=["citeloom"], data_dir=tmp_path / "data") as client:
        rest = ingest(client)
        assert rest["unchanged"] == len(docs)
        assert rest["added"] == 5 - len(docs)


def test_on_a_qdrant_server_the_answers_are_the_same(papers: Path, tmp_path: Path) -> None:
    with qdrant_fake.running() as fake:
        given = settings(papers)
        given["plugins"]["corpus"] = {"qdrant": {"url": fake.url}}
        with client_for(given, toolsets=["citeloom"], data_dir=tmp_path / "data") as client:
            assert ingest(client)["added"] == 5
            ask = {"project": "lab/papers", "query": "dependencies point inward", "top_k": 2}
            there = done(client.call("query_hybrid", **ask))["items"]
            (papers / "layers.pdf").unlink()
            assert ingest(client)["removed"] == 1
            assert "martin2017" not in {row["citekey"] for row in done(client.call("find_chunks", **ask))["items"]}
    (papers / "layers.pdf").write_bytes(PAPER)
    with client_for(settings(papers), toolsets=["citeloom"], data_dir=tmp_path / "other") as client:
        ingest(client)
        assert done(client.call("query_hybrid", **ask))["items"] == there


def test_what_became_of_each_file_goes_on_behind_a_cursor_that_reads_nothing_anew(client: Client, papers: Path) -> None:
    for number in range(40):
        (papers / f"note{number}.md").write_text(f"# Note {number}\n\nOf number {number}.\n")
    first = ingest(client, max_tokens=600)
    assert (first["added"], first["partial"], first["limit_reason"]) == (45, True, "token_cap")
    (papers / "later.md").write_text("# Later\n\nIt came between two pages.\n")
    paths, answer = [each["path"] for each in first["files"]], first
    while cursor := answer.get("next_cursor"):
        answer = ingest(client, cursor=cursor, max_tokens=1000)
        assert (answer["added"], answer["chunks_written"]) == (45, first["chunks_written"])
        paths += [each["path"] for each in answer["files"]]
    assert len(paths) == len(set(paths)) == 45 and "later.md" not in paths
    assert ingest(client)["added"] == 1
