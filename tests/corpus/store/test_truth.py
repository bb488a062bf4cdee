"""One document is one transaction over everything, and what was written comes back."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from made_documents import MODEL, prepared, vector

from wekadocs_corpus.model import Edge, Entity, GraphPart, LinkTarget, Place, digest
from wekadocs_corpus.store.connection import Connections
from wekadocs_corpus.store.errors import Busy, Damaged, StoreError, TooNew
from wekadocs_corpus.store.links import LINKS_TO, pages, spellings
from wekadocs_corpus.store.truth import FILE, Truth


def rows(truth: Truth, table: str) -> list[tuple[object, ...]]:
    with truth.reading() as connection:
        return connection.execute(f"SELECT * FROM {table}").fetchall()


def matching(truth: Truth, project: str, term: int) -> int:
    return len(truth.weighted(project, {term: 1.0}))


def test_what_was_written_comes_back(truth: Truth) -> None:
    made = prepared(bodies=("Grüße 你好\n", "nul \0 inside\n", "🎉 end"))
    assert truth.write(made).documents == 1
    document = truth.document(made.document.id)
    assert document is not None
    assert (document.text, document.front_matter) == (made.document.parsed.text, {"tags": ["a"]})
    passages = truth.chunks_of(document.id)
    assert [each.text for each in passages] == ["Grüße 你好\n", "nul \0 inside\n", "🎉 end"]
    assert [(each.anchor, each.headings, each.path) for each in passages] == [
        (f"s{i}", (f"Part {i}",), "guide/install.md") for i in range(3)
    ]
    sections = truth.sections_of(document.id)
    assert [truth.section(each.id) for each in sections] == sections
    assert document.text[sections[1].start : sections[1].end] == passages[1].text


def test_passages_come_in_the_order_asked_and_unknown_ids_are_left_out(truth: Truth) -> None:
    made = prepared(bodies=("a", "bb", "ccc"))
    truth.write(made)
    ids = [chunk.id for chunk in made.document.parsed.chunks]
    assert [each.text for each in truth.chunks([ids[2], "nobody", ids[0]])] == ["ccc", "a"]
    assert truth.document("nobody") is None
    assert truth.section("nobody") is None


def test_writing_again_replaces_every_trace(truth: Truth) -> None:
    entity = Entity(digest("x"), "Thing", "x", "X")
    old = prepared(bodies=("one", "three"), graph=GraphPart((entity,), (Edge("a", "MENTIONS", entity.id),)))
    truth.write(old)
    assert matching(truth, "p", 3) == matching(truth, "p", 5) == 1
    truth.write(prepared(bodies=("seven!!",)))
    assert (matching(truth, "p", 3), matching(truth, "p", 5), matching(truth, "p", 7)) == (0, 0, 1)
    assert [len(rows(truth, table)) for table in ("chunks", "sections", "edges", "changes")] == [1, 1, 0, 1]
    assert rows(truth, "projects") == [(1, "p", 1)]
    assert truth.integrity(thorough=True) == []


def test_a_deleted_document_leaves_only_its_change(truth: Truth) -> None:
    made, other = prepared(), prepared("other.md")
    truth.write_many([made, other])
    before = truth.sequence()
    assert truth.delete([made.document.id, "nobody"]) == 1
    assert truth.document(made.document.id) is None
    assert [(each.document_id, each.deleted) for each in truth.changes_after(before)] == [(made.document.id, True)]
    truth.delete([other.document.id])
    truth.tidy()
    empty = ("documents", "sections", "chunks", "embeddings", "edges", "entities", "links")
    assert [rows(truth, table) for table in empty] == [[]] * 7
    assert matching(truth, "p", len("first part\n")) == 0


def test_a_change_moves_to_the_end_of_the_sequence_and_is_told_once(truth: Truth) -> None:
    made = [prepared(f"{name}.md", project=project) for name, project in (("a", "p"), ("b", "q"), ("c", "p"))]
    truth.write_many(made)
    seen = truth.sequence()
    truth.write(made[0])
    assert [each.document_id for each in truth.changes_after(0)] == [made[i].document.id for i in (1, 2, 0)]
    assert [each.document_id for each in truth.changes_after(0, project="p")] == [made[i].document.id for i in (2, 0)]
    assert [each.document_id for each in truth.changes_after(seen)] == [made[0].document.id]
    assert len(truth.changes_after(0, limit=2)) == 2


def test_a_file_that_was_only_touched_is_known_again(truth: Truth) -> None:
    made = prepared()
    truth.write(made)
    before = truth.sequence()
    truth.touch([(made.document.id, 99, 123)])
    known = truth.known_files("p", "prod", "", "/docs")["guide/install.md"]
    assert (known.document_id, known.size, known.mtime_ns, known.parser_version) == (made.document.id, 99, 123, "1")
    assert known.content_hash == made.document.content_hash
    assert truth.sequence() == before, "nothing to index"
    assert truth.known_files("p", "prod", "", "/elsewhere") == truth.known_files("p", "dev", "", "/docs") == {}


def test_a_renamed_document_finds_its_vectors_again(truth: Truth) -> None:
    old = prepared("old.md")
    truth.write(old)
    assert truth.missing_vectors(MODEL, [*old.embedded_hashes, "new"]) == {"new"}
    assert truth.missing_vectors("other model", old.embedded_hashes) == set(old.embedded_hashes)
    truth.delete([old.document.id])
    assert truth.write(prepared("new.md", known=old.embedded_hashes)).documents == 1


def test_a_document_whose_vectors_were_tidied_away_is_sent_back_and_the_others_go_in(truth: Truth) -> None:
    old = prepared("old.md")
    truth.write(old)
    truth.delete([old.document.id])
    truth.tidy()
    late, fine = prepared("new.md", known=old.embedded_hashes), prepared("fine.md", bodies=("other",))
    written = truth.write_many([late, fine])
    assert (written.documents, written.again) == (1, (late.document.id,))
    assert truth.document(late.document.id) is None
    assert truth.document(fine.document.id) is not None


def test_a_document_that_cannot_be_stored_does_not_keep_the_others_out(truth: Truth) -> None:
    bad = prepared("bad\udc80.md")
    written = truth.write_many([bad, prepared("good.md")])
    assert (written.documents, dict(written.refused)) == (1, {bad.document.id: "UnicodeEncodeError"})
    assert truth.integrity() == []


def test_vectors_of_a_second_model_are_added_without_parsing_and_indexes_are_told(truth: Truth) -> None:
    made, other = prepared(), prepared("other.md", bodies=("elsewhere",))
    truth.write_many([made, other])
    before = truth.sequence()
    truth.add_vectors("second", {each: vector(1) for each in made.embedded_hashes})
    assert [each.document_id for each in truth.changes_after(before)] == [made.document.id]
    assert truth.counts().models == {MODEL: 3, "second": 2}
    truth.tidy(keep_models=["second"])
    assert truth.counts().models == {"second": 2}


def test_rare_terms_weigh_more_and_projects_do_not_move_each_other(truth: Truth) -> None:
    bodies = [f"body {i}" for i in range(10)]
    terms = [{1: 1.0, **({2: 1.0} if i == 0 else {})} for i in range(10)]
    truth.write(prepared(bodies=bodies, terms=terms))
    before = truth.weighted("p", {1: 1.0, 2: 2.0, 3: 1.0})
    assert before[2] > 2 * before[1] > 0
    assert 3 not in before
    truth.write(prepared(bodies=bodies, terms=[{2: 1.0}] * 10, project="q"))
    assert truth.weighted("p", {1: 1.0, 2: 2.0, 3: 1.0}) == before
    assert truth.weighted("nobody", {1: 1.0}) == {}


def test_counts_are_of_one_project_or_of_all(truth: Truth) -> None:
    truth.write_many([prepared(), prepared("b.md", doc_tag="other", bodies=("x",)), prepared(project="q")])
    one, everything = truth.counts("p"), truth.counts()
    assert (one.documents, one.chunks, one.doc_tags) == (2, 3, {"guide": 1, "other": 1})
    assert (everything.documents, everything.chunks, everything.sequence) == (3, 5, truth.sequence())
    assert one.tokens == 5
    assert one.bytes == len("first part\nsecond part\nx")
    assert everything.last_ingest is not None
    assert everything.stored_bytes > 0


def test_the_full_text_index_can_be_made_anew(truth: Truth) -> None:
    truth.write(prepared())
    with truth.writing() as connection:
        connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
        connection.execute("UPDATE projects SET chunks = 77")
    assert [each.what for each in truth.integrity()] == ["the full text index and the chunks disagree"]
    truth.repair()
    assert truth.integrity() == []
    assert matching(truth, "p", len("first part\n")) == 1


# Links


def linking(path: str, *targets: tuple[str, str]) -> GraphPart:
    section = digest(Place("p", "prod", "", path).document_id, "s", "0")
    return GraphPart(
        links=tuple(LinkTarget(section, target, anchor, "", i, i + 1) for i, (target, anchor) in enumerate(targets))
    )


def link_edges(truth: Truth) -> set[tuple[object, ...]]:
    return {(row[0], row[2], row[6]) for row in rows(truth, "edges") if row[1] == LINKS_TO}


def test_links_become_edges_whichever_end_comes_first(truth: Truth, tmp_path: Path) -> None:
    source = prepared("a.md", graph=linking("a.md", ("b.md", "s1"), ("b.md", ""), ("b", "none"), ("c.md", "")))
    target = prepared("b.md")
    a, b = source.document, target.document
    linking_section = a.parsed.sections[0].id
    expected = {(linking_section, b.id, 2.0), (linking_section, b.parsed.sections[1].id, 1.0)}
    truth.write_many([source, target])
    assert link_edges(truth) == expected
    other = Truth(tmp_path / "other")
    other.write_many([target, source])
    assert link_edges(other) == expected
    other.close()


def test_edges_of_links_go_with_either_end_and_come_back(truth: Truth) -> None:
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


def test_links_stay_inside_their_project_environment_and_repository(truth: Truth) -> None:
    targets = [prepared("b.md", project="q"), prepared("b.md", environment="dev"), prepared("b.md", repository="r")]
    truth.write_many([prepared("a.md", graph=linking("a.md", ("b.md", ""))), *targets])
    assert link_edges(truth) == set()


def test_a_link_within_its_own_document_joins_sections_only(truth: Truth) -> None:
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


# Files, processes, deadlines


def test_two_of_them_on_one_folder_see_each_other(truth: Truth, data: Path) -> None:
    other = Truth(data)
    truth.write(prepared())
    assert other.counts().documents == 1
    assert other.id == truth.id
    other.close()


def test_a_later_layout_is_refused_with_the_way_out(truth: Truth, data: Path) -> None:
    truth.set_note("schema", "99")
    with pytest.raises(TooNew, match="later release"):
        Truth(data)
    truth.set_note("schema", "1")


def test_a_file_that_is_no_database_is_told_so(data: Path) -> None:
    data.mkdir()
    (data / FILE).write_bytes(b"not a database, and long enough to look like one" * 100)
    with pytest.raises(Damaged, match="move the file away"):
        Truth(data)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="--data"):
        Truth(tmp_path / "file" / "data")


def test_an_error_inside_a_transaction_leaves_nothing(truth: Truth) -> None:
    with pytest.raises(RuntimeError), truth.writing() as connection:
        connection.execute("INSERT INTO meta VALUES ('k', 'v')")
        raise RuntimeError
    assert truth.note("k") is None


def test_a_query_past_its_deadline_is_interrupted_and_the_connection_lives(truth: Truth) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with pytest.raises(TimeoutError), truth.reading(time.monotonic() + 0.05) as connection:
        connection.execute(endless).fetchone()
    assert truth.sequence() == 0


def test_a_writer_waits_for_its_turn_and_gives_up_in_plain_words(truth: Truth, data: Path) -> None:
    other = Connections(data / FILE)
    with truth.writing(), pytest.raises(Busy, match="other processes have been writing"), other.writing(seconds=0.01):
        pass
    other.close()


def test_a_reader_sees_one_state_while_others_write(truth: Truth) -> None:
    with truth.reading() as connection:
        first = connection.execute("SELECT count(*) FROM documents").fetchone()
        truth.write(prepared())
        assert connection.execute("SELECT count(*) FROM documents").fetchone() == first == (0,)
    assert truth.counts().documents == 1


def test_many_threads_read_and_write_through_one_truth(truth: Truth) -> None:
    problems: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for i in range(5):
                truth.write(prepared(f"{name}-{i}.md"))
                truth.counts()
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert truth.counts().documents == 20


def test_after_closing_nothing_opens_again(truth: Truth) -> None:
    truth.close()
    with pytest.raises(StoreError, match="closed"):
        truth.sequence()


def test_deletion_really_empties_the_full_text_index(truth: Truth) -> None:
    made = prepared(terms=[{1: 1.0}, {0xFFFFFFFF: 2.0}])
    truth.write(made)
    with truth.reading() as connection:
        assert connection.execute("SELECT count(*) FROM word_counts").fetchone() == (2,)
    truth.delete([made.document.id])
    with truth.reading() as connection:
        assert connection.execute("SELECT count(*) FROM word_counts").fetchone() == (0,)
