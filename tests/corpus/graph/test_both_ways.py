"""An edge that shows from one end shows from the other, on both graphs: chunks, sections, entities, links and paths."""

from __future__ import annotations

from typing import Any

from graph_world import World, entity, filled, ids_of

LONG = "# Long Page\n\n" + "\n\n".join(
    f"Paragraph {n} speaks of the option `--part-{n}` and of [bonding](network.md#bonding). "
    + "It says little more. " * 60
    for n in range(12)
)


def everything_around(sample: Any, node: str) -> set[Any]:
    found = sample.ask(lambda graph: graph.neighbours([node], sample.area, limit=100))
    assert not found.more and not found.truncated
    return set(found.edges)


def test_an_edge_that_shows_from_one_end_shows_from_the_other(world: World) -> None:
    sample: Any = filled(world)
    long = sample.add("docs/long.md", LONG)
    assert len(long.parsed.chunks) > len(long.parsed.sections), "a section of several chunks"
    around = {node: everything_around(sample, node) for node in ids_of(sample)}
    for node, edges in around.items():
        for edge in edges:
            other = edge.target if edge.source == node else edge.source
            assert edge in around[other]


def test_every_step_of_a_path_is_an_edge_that_shows(world: World) -> None:
    sample: Any = filled(world)
    long = sample.add("docs/long.md", LONG)
    ends = [each.id for each in long.parsed.chunks], [each.id for each in sample.network.parsed.chunks]
    found = sample.ask(lambda graph: graph.paths(*ends, sample.area, max_hops=3, max_paths=50))
    assert found.paths
    for path in found.paths:
        for one, kind, other in zip(path.nodes, path.types, path.nodes[1:], strict=False):
            edges = everything_around(sample, one)
            assert any(edge.type == kind and {edge.source, edge.target} == {one, other} for edge in edges)


def test_a_chunk_says_what_stands_in_it_and_not_what_another_one_of_its_section_says(world: World) -> None:
    sample: Any = filled(world)
    long = sample.add("docs/long.md", LONG)
    for chunk in long.parsed.chunks:
        said = sample.ask(lambda graph, each=chunk.id: graph.entities_for_sections([each], sample.area))
        text = long.parsed.text[chunk.start : chunk.end]
        assert all(each.entity.title.lower() in text.lower() for each in said if each.entity.label == "Parameter")
        for each in said:
            back = sample.ask(
                lambda graph, thing=each.entity.id: graph.sections_for_entities([thing], sample.area, limit_each=50)
            )
            assert chunk.id in [mention.node.id for mention in back]
            assert {mention.node.label for mention in back} == {"Chunk"}, "as a search returns them"


def test_a_page_whose_title_defines_something_is_told_by_the_chunk_it_begins_with(world: World) -> None:
    page = world.add("x.md", "---\ntitle: Silver Bullet\nowner: nobody at all\n---\nNothing is headed here.\n")
    thing = entity(world, "Concept", "silver bullet")
    found = world.ask(lambda graph: graph.sections_for_entities([thing], world.area))
    assert [each.node.id for each in found] == [each.id for each in page.parsed.chunks if each.kind != "front_matter"]
