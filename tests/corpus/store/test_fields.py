"""Fields that a plugin declares: what they take, what becomes of them with their chunks, what may be asked of them."""

from __future__ import annotations

import asyncio

import pytest
from made_documents import prepared
from oracle import PROFILE
from serving import local, written

from wekadocs_corpus.fields import BeginsWith, Between, Field, OneOf, Unfit, check_conditions
from wekadocs_corpus.model import Area, Filters
from wekadocs_corpus.store.errors import Refused
from wekadocs_corpus.store.sql.full_text.index import FullText

YEAR, TAGS, HEADING = Field("year", "integer"), Field("tags", "keyword"), Field("heading", "prefix")
AREA = Area("p", "prod")


def page(path="a.md", fields=(), chunk_fields=((), ())):
    return prepared(path, ("one\n", "two\n"), [{1: 1.0}, {1: 2.0}], fields=fields, chunk_fields=chunk_fields)


def found(truth, filters, opened=None):
    """Ids by words, from the index that is opened."""

    async def ask():
        index = (opened or local)(truth, "p")
        try:
            await index.catch_up(20)
            return {leg.chunk_id for leg in await index.search_words({1: 1.0}, AREA, filters, 50)}
        finally:
            await index.close()

    return asyncio.run(ask())


def test_a_documents_field_is_that_of_all_its_chunks_and_comes_back_with_them(truth):
    truth.declare("p", [YEAR, TAGS])
    made = page(fields=(("year", 2024),), chunk_fields=((("tags", "x"), ("tags", "y")), ()))
    truth.write(made)
    first, second = (chunk.id for chunk in made.document.parsed.chunks)
    assert truth.field_values([second, first]) == {
        first: (("tags", "x"), ("tags", "y"), ("year", 2024)),
        second: (("year", 2024),),
    }
    assert truth.fields("p") == [TAGS, YEAR]
    assert truth.fields("q") == []
    both = Filters(fields=(OneOf("tags", ("x",)), OneOf("tags", ("y",))))
    assert truth.documents_of([first, second], AREA, both) == {first: made.document.id}


def test_values_go_and_change_with_their_chunks_in_an_index_that_is_written_and_one_that_follows(truth):
    truth.declare("p", [YEAR])
    truth.write(page(fields=(("year", 2024),)))
    written(truth, "p")
    wanted = Filters(fields=(Between("year", 2000, 2030),))
    assert len(found(truth, wanted)) == 2
    truth.write(page(fields=(("year", 1990),)))
    truth.write(page("b.md", chunk_fields=((("year", 2001),), (("year", 2031),))))
    for opened in (local, lambda truth, project: FullText(truth, project, PROFILE)):
        assert len(found(truth, wanted, opened)) == 1
    truth.delete([page("b.md").document.id])
    assert found(truth, wanted) == set()
    assert truth.integrity(thorough=True) == []


def test_a_field_of_one_project_is_unknown_in_another(truth):
    truth.declare("q", [YEAR])
    truth.write(page())
    done = truth.write(page("b.md", fields=(("year", 1),)))
    assert list(done.refused.values()) == ["field 'year' is not declared for project p"]
    assert found(truth, Filters(fields=(OneOf("year", (1,)),))) == set()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *((YEAR, "2024"), (YEAR, 2.5), (YEAR, True), (YEAR, 2**63), (TAGS, 7), (TAGS, "x" * 1025), (TAGS, "a\0b")),
        *((TAGS, "\ud800"), (Field("worth", "float"), float("nan")), (Field("worth", "float"), float("inf"))),
    ],
)
def test_what_a_field_does_not_take_keeps_its_document_out_with_the_reason(truth, field, value):
    truth.declare("p", [field])
    done = truth.write_many([page(), page("b.md", fields=((field.name, value),))])
    (reason,) = done.refused.values()
    assert reason.startswith(f"field {field.name} takes a")
    assert done.documents == 1


def test_a_declaration_stays_and_names_are_plain_words(truth):
    truth.declare("p", [YEAR])
    truth.declare("p", [YEAR, TAGS])
    with pytest.raises(Refused, match="year of project p is integer, not keyword"):
        truth.declare("p", [Field("other", "keyword"), Field("year", "keyword")])
    assert truth.fields("p") == [TAGS, YEAR]
    for name in ("", "a.b", "1a", "x" * 64, "a b", "é"):
        with pytest.raises(Refused, match="a name is"):
            truth.declare("p", [Field(name, "keyword")])
    with pytest.raises(Refused, match="'date' is no kind; there are keyword, prefix, integer, float"):
        truth.declare("p", [Field("day", "date")])


def test_a_condition_that_cannot_hold_is_told_to_whoever_checks_it():
    declared = [YEAR, TAGS, HEADING]
    check_conditions(declared, [OneOf("tags", ("x",)), Between("year", 1), BeginsWith("heading", "A")])
    for condition, told in (
        (OneOf("tagz", ("x",)), "field 'tagz' is not declared; there are heading, tags, year"),
        (BeginsWith("tags", "x"), "field tags is keyword: BeginsWith cannot be asked of it"),
        (Between("tags", 1), "field tags is keyword: Between"),
        (OneOf("year", ("x",)), "field year takes a whole number"),
    ):
        with pytest.raises(Unfit, match=told):
            check_conditions(declared, [condition])
