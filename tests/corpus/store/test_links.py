"""Links become edges when both ends are there, and go when one of them goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_documents import prepared

from wekadocs_corpus.graph.embedded.sql import ID
from wekadocs_corpus.graph.extraction.wiki_names import WIKI
from wekadocs_corpus.model import GraphPart, LinkTarget, Place, digest
from wekadocs_corpus.store.sql.writing.links import pages, spellings
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_corpus.store.writing.nodes import TYPE


def rows(truth: SqliteTruth, table: str) -> list[tuple[object, ...]]:
    with truth.reading() as connection:
        return connection.execute(f"SELECT * FROM {table}").fetchall()


def linking(path: str, *targets: tuple[str, str]) -> GraphPart:
    section = digest(Place("p", "prod", "", path).document_id, "s", "0")
    return GraphPart(
        links=tuple(LinkTarget(section, target, anchor, "", i, i + 1) for i, (target, anchor) in enumerate(targets))
    )


def link_edges(truth: SqliteTruth) -> set[tuple[object, ...]]:
    ask = f"SELECT {ID.format('source')}, {ID.format('target')}, weight FROM edges WHERE type = ?"
    with truth.reading() as connection:
        return set(connection.execute(ask, (TYPE["REFERENCES"],)))


def test_links_become_edges_whichever_end_comes_first(truth: SqliteTruth, tmp_path: Path) -> None:
    source = prepared("a.md", graph=linking("a.md", ("b.md", "s1"), ("b.md", ""), ("b", "none"), ("c.md", "")))
    target = prepared("b.md")
    a, b = source.document, target.document
    linking_section = a.parsed.sections[0].id
    expected = {(linking_section, b.id, 2.0), (linking_section, b.parsed.sections[1].id, 1.0)}
    truth.write_many([source, target])
    assert link_edges(truth) == expected
    other = SqliteTruth(tmp_path / "other")
    other.write_many([target, source])
    assert link_edges(other) == expected
    other.close()


def test_edges_of_links_go_with_either_end_and_come_back(truth: SqliteTruth) -> None:
    source, target = prepared("a.md", graph=linking("a.md", ("b.md", "s1"))), prepared("b.md")
    truth.write_many([source, target])
    both = link_edges(truth)
    truth.delete([target.document.id])
    assert link_edges(truth) == set()
    truth.write(target)
    assert link_edges(truth) == both
    truth.write(target)
    assert link_edges(truth) == both, "writing the target again keeps them"
    truth.write(prepared("a.md"))
    assert link_edges(truth) == set()


def test_links_stay_inside_their_project_environment_and_repository(truth: SqliteTruth) -> None:
    targets = [prepared("b.md", project="q"), prepared("b.md", environment="dev"), prepared("b.md", repository="r")]
    truth.write_many([prepared("a.md", graph=linking("a.md", ("b.md", ""))), *targets])
    assert link_edges(truth) == set()


def test_a_link_within_its_own_document_joins_sections_only(truth: SqliteTruth) -> None:
    made = prepared("a.md", graph=linking("a.md", ("a.md", "s1")))
    truth.write(made)
    sections = made.document.parsed.sections
    assert link_edges(truth) == {(sections[0].id, sections[1].id, 1.0)}


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("guide/a.md", "guide/a.md"),
        ("guide/a", "guide/a.md"),
        ("guide/a.html", "guide/a.md"),
        ("guide/", "guide/index.md"),
        ("guide", "guide/README.md"),
        ("/guide/a/", "guide/a.mdx"),
        ("v1.2", "v1.2.md"),
        ("", "index.md"),
    ],
)
def test_a_link_may_leave_out_what_a_web_server_adds(target: str, path: str) -> None:
    assert path in pages(target)
    assert target in spellings(path)


def test_a_link_means_the_document_of_its_own_root_if_there_is_one(truth: SqliteTruth) -> None:
    here, there = prepared("b.md"), prepared("b.md", root="/elsewhere", locator="/elsewhere/b.md")
    source = prepared("a.md", graph=linking("a.md", ("b.md", "")))
    truth.write_many([there, source])
    assert link_edges(truth) == {(source.document.parsed.sections[0].id, there.document.id, 1.0)}
    truth.write_many([here, source])
    assert link_edges(truth) == {(source.document.parsed.sections[0].id, here.document.id, 1.0)}


def test_documents_written_together_are_linked_as_those_written_one_by_one(truth: SqliteTruth, tmp_path: Path) -> None:
    """Links to each other, to one that was there, by wiki names that two of them share, and from one that was there."""
    batch = [
        prepared("a.md", graph=linking("a.md", ("b.md", "s1"), ("old.md", ""), (f"{WIKI}c", ""))),
        prepared("b.md", graph=linking("b.md", ("a", ""), ("far/c.md", "s0"))),
        prepared("far/c.md", graph=linking("far/c.md", ("a.md", ""), ("/b/", ""))),
        prepared("near/c.md"),
    ]
    before = prepared("old.md", graph=linking("old.md", ("b.md", ""), (f"{WIKI}c", "")))
    truth.write(before)
    truth.write_many(batch)
    other = SqliteTruth(tmp_path / "other")
    for each in [before, *batch]:
        other.write(each)
    assert len(link_edges(other)) == 9
    assert link_edges(truth) == link_edges(other)
    assert sorted(rows(truth, "page_names")) == sorted(rows(other, "page_names"))
    told = [{each.document_id for each in of.changes_after(0)} for of in (truth, other)]
    assert told[0] == told[1]
    other.close()
