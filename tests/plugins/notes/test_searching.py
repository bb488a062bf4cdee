"""Notes found by meaning, by words and exactly."""

from wekadocs_notes.index import Finder, finding


def scores(room, query, **arguments):
    return {each["id"]: each["score"] for each in room.call("search", query=query, **arguments)}


def test_what_a_note_is_about_finds_it_with_a_real_similarity(room):
    room.write("bread.md", "Sourdough needs flour, water and patience.")
    room.write("stars.md", "Telescopes gather the light of distant galaxies.")
    found = room.call("search", query="how to bake a loaf with flour")
    assert found[0]["id"] == "bread.md" and set(found[0]) == {"id", "title", "content", "tags", "links", "score"}
    assert 0.2 < found[0]["score"] < 1 and all(0 < each["score"] <= 1 for each in found)
    assert found[0]["score"] == scores(room, "how to bake a loaf with flour", limit=1)["bread.md"]
    assert scores(room, "Sourdough needs flour, water and patience.")["bread.md"] > 0.95
    assert max(scores(room, "volcano eruption").values(), default=0) < 0.3


def test_equal_notes_score_equally_and_the_order_is_by_score_then_id(room):
    for name in ("b", "a", "c"):
        room.write(f"{name}.md", "The same words about elephants.")
    room.write("d.md", "Other words about tigers.")
    found = room.call("search", query="elephants")
    assert [each["id"] for each in found][:3] == ["a.md", "b.md", "c.md"]
    assert len({each["score"] for each in found[:3]}) == 1
    assert [each["score"] for each in found] == sorted((each["score"] for each in found), reverse=True)


def test_a_long_note_is_found_by_its_best_passage_and_comes_once(room):
    filler = "\n\n".join(f"## Part {number}\n\nPlain talk about nothing in particular." for number in range(60))
    room.write("long.md", f"{filler}\n\n## End\n\nThe axolotl regrows its limbs.\n")
    room.write("short.md", "Limbs of trees.")
    found = room.call("search", query="axolotl limbs", include_passage=True)
    assert [each["id"] for each in found].count("long.md") == 1 and found[0]["id"] == "long.md"
    assert "axolotl" in found[0]["passage"] and "axolotl" not in found[0]["content"]


def test_titles_aliases_and_tags_are_searched(room):
    room.write("x1.md", "---\ntitle: Quantum Gardening\naliases: [Zymurgy]\ntags: [wombats]\n---\nNothing.")
    room.write("x2.md", "Something else.")
    for query in ("quantum gardening", "zymurgy", "wombats"):
        assert room.call("search", query=query)[0]["id"] == "x1.md"


def test_filters_and_threshold_narrow_what_is_found(room):
    room.write("in/a.md", "elephants #big")
    room.write("in/b.md", "elephants")
    room.write("out/c.md", "elephants #big")
    assert set(scores(room, "elephants", path="in/")) == {"in/a.md", "in/b.md"}
    assert set(scores(room, "elephants", tags=["BIG"])) == {"in/a.md", "out/c.md"}
    assert scores(room, "elephants", threshold=1) == {"in/b.md": 1.0}


def test_exact_mode_finds_the_text_as_it_is_written(room):
    room.write("a.md", "The key is x-forwarded-for: 1. X-FORWARDED-FOR!")
    room.write("b.md", "x forwarded for")
    room.write("x-forwarded-for.md", "---\ntitle: x-forwarded-for\n---\n")
    found = room.call("search", query="X-Forwarded-For", mode="exact", include_passage=True)
    assert [each["id"] for each in found] == ["x-forwarded-for.md", "a.md"] and "key is" in found[1]["passage"]
    assert room.call("search", query="absent text", mode="exact") == []


def test_what_was_written_edited_or_removed_is_found_by_the_next_call(room):
    path = room.write("a.md", "Only about walruses.")
    assert room.call("search", query="walruses")[0]["id"] == "a.md"
    path.write_text("Only about narwhals.")
    assert room.call("search", query="narwhals")[0]["id"] == "a.md"
    assert room.call("search", query="walruses", mode="exact") == []
    moved = room.root / "B.md"
    path.rename(moved)
    assert [each["id"] for each in room.call("search", query="narwhals")] == ["B.md"]
    moved.unlink()
    assert room.call("search", query="narwhals") == []


def test_exact_mode_reads_every_script_and_encoding(room):
    room.write("plain.md", "STRASSE")
    room.write("accents.md", "Die Straße, Ωmega")
    room.write("wide.md", "\ufeffDie Straße".encode("utf-16-le"))
    found = room.call("search", query="strasse", mode="exact")
    assert {each["id"] for each in found} == {"plain.md", "accents.md", "wide.md"}
    assert [each["id"] for each in room.call("search", query="ωMEGA", mode="exact")] == ["accents.md"]


def test_comments_that_no_reader_sees_are_found_by_exact_text_only(room):
    room.write("a.md", "Shown.\n<!-- hidden\nwalrus -->\n%% inline walrus %%\n\n%%\nwalrus\n\nblock\n%%\n100%% sure\n")
    room.write("b.md", "```mermaid\n%% narwhal %%\n```\n<!-- never closed about seals\n")
    assert "a.md" not in {each["id"] for each in room.call("search", query="walrus")}
    assert [each["id"] for each in room.call("search", query="walrus", mode="exact")] == ["a.md"]
    assert room.call("search", query="narwhal")[0]["id"] == room.call("search", query="seals")[0]["id"] == "b.md"
    assert room.call("search", query="sure", include_passage=True)[0]["passage"].startswith("Shown.\n<!-- hidden")


def test_how_much_is_missing_from_a_search_is_told_before_all_that_is_wrong_with_files(room, monkeypatch):
    for number in range(70):
        room.write(f"{number}.md", f"[[missing {number}]]")

    async def late(*_):
        return 7

    monkeypatch.setattr(Finder, "catch_up", late)
    _, told = room.ask("search", query="anything")
    assert told[0].startswith("Index incomplete: 7 notes") and len(told) == 52


def test_a_filter_finds_its_notes_behind_all_others_with_the_scores_they_have_among_them(room, monkeypatch):
    for number in range(60):
        room.write(f"many/{number:02}.md", f"elephants, elephants and elephant number {number}")
    room.write("few/a.md", "Something else #rare\n\nan elephant walks by")
    room.write("few/b.md", "Nothing of the kind #rare")
    monkeypatch.setattr(finding, "_FEW", 0)
    by_looking = scores(room, "elephants and elephant number 7", tags=["rare"])
    monkeypatch.undo()
    monkeypatch.setattr(finding, "_MOST_PASSAGES", 10)
    assert "few/a.md" in by_looking
    assert scores(room, "elephants and elephant number 7", tags=["rare"]) == by_looking
    assert scores(room, "elephants and elephant number 7", path="few/") == by_looking
    assert scores(room, "elephants and elephant number 7", path="none/") == {}
