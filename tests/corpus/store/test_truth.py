"""One document is one transaction over everything, and what was written comes back."""

from __future__ import annotations

from made_documents import MODEL, prepared, vector

from wekadocs_corpus.model import Area, Edge, Entity, Filters, GraphPart, digest
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_corpus.store.truth.rows import Binding


def rows(truth: SqliteTruth, table: str) -> list[tuple[object, ...]]:
    with truth.reading() as connection:
        return connection.execute(f"SELECT * FROM {table}").fetchall()


def matching(truth: SqliteTruth, project: str, term: int) -> int:
    return len(truth.weighted(project, {term: 1.0}))


def test_what_was_written_comes_back(truth: SqliteTruth) -> None:
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


def test_passages_come_in_the_order_asked_and_unknown_ids_are_left_out(truth: SqliteTruth) -> None:
    made = prepared(bodies=("a", "bb", "ccc"))
    truth.write(made)
    ids = [chunk.id for chunk in made.document.parsed.chunks]
    assert [each.text for each in truth.chunks([ids[2], "nobody", ids[0]])] == ["ccc", "a"]
    assert truth.document("nobody") is None
    assert truth.section("nobody") is None


def test_writing_again_replaces_every_trace(truth: SqliteTruth) -> None:
    entity = Entity(digest("x"), "Thing", "x", "X")
    section = prepared().document.parsed.sections[0].id
    old = prepared(bodies=("one", "three"), graph=GraphPart((entity,), (Edge(section, "MENTIONS", entity.id),)))
    truth.write(old)
    assert matching(truth, "p", 3) == matching(truth, "p", 5) == 1
    truth.write(prepared(bodies=("seven!!",)))
    assert (matching(truth, "p", 3), matching(truth, "p", 5), matching(truth, "p", 7)) == (0, 0, 1)
    assert [len(rows(truth, table)) for table in ("chunks", "sections", "edges", "changes")] == [1, 1, 0, 1]
    assert rows(truth, "projects") == [(1, "p", 1)]
    assert truth.integrity(thorough=True) == []


def test_a_deleted_document_leaves_only_its_change(truth: SqliteTruth) -> None:
    made, other = prepared(), prepared("other.md")
    truth.write_many([made, other])
    before = truth.sequence()
    assert truth.delete([made.document.id, "nobody"]) == 1
    assert truth.document(made.document.id) is None
    assert [(each.document_id, each.deleted) for each in truth.changes_after(before)] == [(made.document.id, True)]
    truth.delete([other.document.id])
    empty = ("documents", "sections", "chunks", "embeddings", "edges", "entities", "links", "names", "name_places")
    assert [rows(truth, table) for table in empty] == [[]] * 9
    assert matching(truth, "p", len("first part\n")) == 0


def test_a_change_moves_to_the_end_of_the_sequence_and_is_told_once(truth: SqliteTruth) -> None:
    made = [prepared(f"{name}.md", project=project) for name, project in (("a", "p"), ("b", "q"), ("c", "p"))]
    truth.write_many(made)
    seen = truth.sequence()
    truth.write(made[0])
    assert [each.document_id for each in truth.changes_after(0)] == [made[i].document.id for i in (1, 2, 0)]
    assert [each.document_id for each in truth.changes_after(0, project="p")] == [made[i].document.id for i in (2, 0)]
    assert [each.document_id for each in truth.changes_after(seen)] == [made[0].document.id]
    assert len(truth.changes_after(0, limit=2)) == 2


def test_a_file_that_was_only_touched_is_known_again(truth: SqliteTruth) -> None:
    made = prepared()
    truth.write(made)
    before = truth.sequence()
    truth.touch([(made.document.id, 99, 123)])
    known = truth.known_files("p", "prod", "file:///docs")[made.document.id]
    assert known.path == "guide/install.md"
    assert (known.document_id, known.size, known.mtime_ns, known.parser_version) == (made.document.id, 99, 123, "1")
    assert known.content_hash == made.document.content_hash
    assert truth.sequence() == before, "nothing to index"
    assert truth.known_files("p", "prod", "file:///elsewhere") == truth.known_files("p", "dev", "file:///docs") == {}


def test_a_renamed_document_finds_its_vectors_again(truth: SqliteTruth) -> None:
    old = prepared("old.md")
    truth.write(old)
    assert truth.missing_vectors(MODEL, [*old.embedded_hashes, digest("new")]) == {digest("new")}
    assert truth.missing_vectors("other model", old.embedded_hashes) == set(old.embedded_hashes)
    assert truth.write(prepared("new.md", known=old.embedded_hashes)).documents == 1
    truth.delete([old.document.id])
    assert truth.missing_vectors(MODEL, old.embedded_hashes) == set(), "the new one has them"


def test_a_document_whose_vectors_were_tidied_away_is_sent_back_and_the_others_go_in(truth: SqliteTruth) -> None:
    old = prepared("old.md")
    truth.write(old)
    truth.delete([old.document.id])
    truth.tidy()
    late, fine = prepared("new.md", known=old.embedded_hashes), prepared("fine.md", bodies=("other",))
    written = truth.write_many([late, fine])
    assert (written.documents, written.again) == (1, (late.document.id,))
    assert truth.document(late.document.id) is None
    assert truth.document(fine.document.id) is not None


def test_a_document_that_cannot_be_stored_does_not_keep_the_others_out(truth: SqliteTruth) -> None:
    bad = prepared("bad\udc80.md")
    written = truth.write_many([bad, prepared("good.md")])
    assert (written.documents, dict(written.refused)) == (1, {bad.document.id: "UnicodeEncodeError"})
    assert truth.integrity() == []


def test_vectors_of_a_second_model_are_added_without_parsing_and_indexes_are_told(truth: SqliteTruth) -> None:
    made, other = prepared(), prepared("other.md", bodies=("elsewhere",))
    truth.write_many([made, other])
    before = truth.sequence()
    truth.add_vectors("p", "second", {each: vector(1) for each in made.embedded_hashes})
    assert [each.document_id for each in truth.changes_after(before)] == [made.document.id]
    assert truth.counts().models == {MODEL: 3, "second": 2}
    truth.bind("p", Binding("second", 8))
    truth.tidy("p")
    assert truth.counts().models == {"second": 2}


def test_a_projects_new_model_leaves_the_vectors_of_others_alone(truth: SqliteTruth) -> None:
    """Also of texts that both have."""
    ours, theirs = prepared("ours.md"), prepared("theirs.md", project="q", bodies=("first part\n", "their own\n"))
    truth.write_many([ours, theirs])
    shared = set(ours.embedded_hashes) & set(theirs.embedded_hashes)
    truth.bind("p", Binding(MODEL, 8))
    truth.bind("q", Binding(MODEL, 8))
    before = truth.sequence()
    truth.add_vectors("p", "second", {each: vector(1) for each in ours.embedded_hashes})
    truth.bind("p", Binding("second", 8))
    truth.tidy("p")
    assert truth.missing_vectors(MODEL, theirs.embedded_hashes) == set()
    assert truth.missing_vectors("second", ours.embedded_hashes) == set()
    assert truth.missing_vectors(MODEL, ours.embedded_hashes) == set(ours.embedded_hashes) - shared
    assert {each.document_id for each in truth.changes_after(before)} == {ours.document.id}
    assert truth.bindings() == {"p": Binding("second", 8), "q": Binding(MODEL, 8)}


def test_rare_terms_weigh_more_and_projects_do_not_move_each_other(truth: SqliteTruth) -> None:
    bodies = [f"body {i}" for i in range(10)]
    terms = [{1: 1.0, **({2: 1.0} if i == 0 else {})} for i in range(10)]
    truth.write(prepared(bodies=bodies, terms=terms))
    before = truth.weighted("p", {1: 1.0, 2: 2.0, 3: 1.0})
    assert before[2] > 2 * before[1] > 0
    assert 3 not in before
    truth.write(prepared(bodies=bodies, terms=[{2: 1.0}] * 10, project="q"))
    assert truth.weighted("p", {1: 1.0, 2: 2.0, 3: 1.0}) == before
    assert truth.weighted("nobody", {1: 1.0}) == {}


def test_counts_are_of_one_project_or_of_all(truth: SqliteTruth) -> None:
    truth.write_many([prepared(), prepared("b.md", doc_tag="other", bodies=("x",)), prepared(project="q")])
    one, everything = truth.counts("p"), truth.counts()
    assert (one.documents, one.chunks, one.doc_tags) == (2, 3, {"guide": 1, "other": 1})
    assert (everything.documents, everything.chunks, everything.sequence) == (3, 5, truth.sequence())
    assert one.tokens == 5
    assert one.bytes == len("first part\nsecond part\nx")
    assert everything.last_ingest is not None
    assert everything.stored_bytes > 0


def test_the_full_text_index_can_be_made_anew(truth: SqliteTruth) -> None:
    truth.write(prepared())
    with truth.writing() as connection:
        connection.words.empty(connection)
        connection.execute("UPDATE projects SET chunks = 77")
    assert [each.what for each in truth.integrity()] == ["the full text index and the chunks disagree"]
    truth.repair()
    assert truth.integrity() == []
    assert matching(truth, "p", len("first part\n")) == 1


def test_deletion_really_empties_the_full_text_index(truth: SqliteTruth) -> None:
    made = prepared(terms=[{1: 1.0}, {0xFFFFFFFF: 2.0}])
    truth.write(made)
    with truth.reading() as connection:
        assert connection.execute("SELECT count(*) FROM word_counts").fetchone() == (2,)
    truth.delete([made.document.id])
    with truth.reading() as connection:
        assert connection.execute("SELECT count(*) FROM word_counts").fetchone() == (0,)


def test_a_document_is_in_the_scope_of_any_of_its_tags_and_counts_for_each(truth):
    both = prepared("a.md", ("one\n",), doc_tag="a", other_tags=("b", "a", "ünï"))
    truth.write_many([both, prepared("c.md", ("two\n",), doc_tag="c"), prepared("b.md", ("three\n",), doc_tag="b")])
    (chunk,) = [each.id for each in both.document.parsed.chunks]
    seen = {tag: truth.documents_of([chunk], Area("p", "prod", (tag,)), Filters()) for tag in ("a", "b", "c", "ünï")}
    assert [tag for tag, found in seen.items() if found] == ["a", "b", "ünï"]
    assert truth.documents_of([chunk], Area("p", "prod", ("a",)), Filters(("b",))) == {chunk: both.document.id}
    assert truth.documents_of([chunk], Area("p", "prod", ("c",)), Filters(("b",))) == {}
    assert truth.counts().doc_tags == {"a": 1, "b": 2, "c": 1, "ünï": 1}
    assert truth.tally("doc_tag")["b"] == (2, 2)
    assert truth.doc_tags(Area("p", "prod")) == ["a", "b", "c", "ünï"]
    assert truth.doc_tags(Area("p", "prod", ("b", "x"))) == ["b"]
    assert [truth.is_whole(Area("p", "prod", tags)) for tags in (("b", "c"), ("a", "c"), ("a",), ())] == [
        *(True, False, False, True)
    ]
    assert set(truth.chunks([chunk])[0].other_tags) == set(truth.document(both.document.id).other_tags) == {"b", "ünï"}
    truth.write(prepared("a.md", ("one\n",), doc_tag="a"))
    assert truth.doc_tags(Area("p", "prod")) == ["a", "b", "c"]
    assert truth.integrity(thorough=True) == []
