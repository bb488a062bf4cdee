"""One suite for every graph: the embedded one and a real Neo4j give the same answers, order included."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from graph_documents import document
from graph_world import GATEWAY, World, entity, filled, ids_of

from wekadocs_corpus.graph.choose import sync_neo4j
from wekadocs_corpus.graph.interface import BadQuestion, Graph, Neighbourhood
from wekadocs_corpus.model import Area, Document, digest

SECRET = "# Secret Vault\n\n`WEKA_HOME` and Protocol Gateway and [install](install.md).\n"


def section(made: Document, title: str) -> str:
    return next(each.id for each in made.parsed.sections if each.title == title)


def test_nodes_come_as_projections_in_the_order_asked(sample: Any) -> None:
    bonding = section(sample.network, "Bonding")
    chunk = next(each for each in sample.network.parsed.chunks if each.section_id == bonding)
    ids = [chunk.id, "unknown", entity(sample, "Variable", "weka_home"), bonding, sample.network.id]
    found = sample.ask(lambda graph: graph.describe(ids, sample.area))
    assert [(node.label, node.title) for node in found] == [
        ("Chunk", "Bonding"),
        ("Variable", "WEKA_HOME"),
        ("Section", "Bonding"),
        ("Document", "Network Setup"),
    ]
    assert (found[2].level, found[2].anchor, found[2].doc_tag, found[2].path) == (
        2,
        "bonding",
        "network",
        "docs/network.md",
    )
    assert found[3].tokens == sum(each.tokens for each in sample.network.parsed.chunks)


def test_neighbours_are_ordered_by_distance_then_id_and_paged_without_loss(sample: Any) -> None:
    seed = [section(sample.network, "Bonding")]
    whole = sample.ask(lambda graph: graph.neighbours(seed, sample.area, hops=3, limit=100))
    assert list(zip(whole.distances, [node.id for node in whole.nodes], strict=True)) == sorted(
        zip(whole.distances, [node.id for node in whole.nodes], strict=True)
    )
    assert {"Document", "Section", "Chunk", "Parameter", "Concept", "Command"} <= {node.label for node in whole.nodes}
    pages = [
        sample.ask(lambda graph, at=at: graph.neighbours(seed, sample.area, hops=3, limit=7, skip=at))
        for at in range(0, len(whole.nodes), 7)
    ]
    assert [node for page in pages for node in page.nodes] == list(whole.nodes)
    assert sorted(edge for page in pages for edge in page.edges) == sorted(whole.edges)
    assert [page.more for page in pages] == [True] * (len(pages) - 1) + [False]


@pytest.mark.parametrize("direction", ["out", "in", "both"])
@pytest.mark.parametrize(
    "types", [(), ("MENTIONS",), ("HAS_SECTION", "PARENT_OF", "HAS_CHUNK"), ("NEXT", "NEXT_CHUNK"), ("REFERENCES",)]
)
def test_neighbours_follow_the_types_and_the_direction_asked(sample: Any, direction: Any, types: Any) -> None:
    ids = [sample.install.id, section(sample.network, "Bonding"), sample.install.parsed.chunks[1].id]
    ids.append(entity(sample, "Parameter", "--host-ips"))
    found = sample.ask(
        lambda graph: graph.neighbours(ids, sample.area, hops=2, types=types, direction=direction, limit=100)
    )
    assert not types or {edge.type for edge in found.edges} <= set(types)
    if direction == "both":
        assert found.edges


def test_links_lead_to_the_section_of_their_anchor_and_else_to_the_document(sample: Any) -> None:
    top = section(sample.install, "Install the Cluster")
    found = sample.ask(lambda graph: graph.neighbours([top], sample.area, types=["REFERENCES"], direction="out"))
    assert labelled(found) == [("Chunk", "Bonding"), ("Section", "Bonding")], "start.md is not ingested"
    back = sample.ask(
        lambda graph: graph.neighbours([sample.install.id], sample.area, types=["REFERENCES"], direction="in")
    )
    assert labelled(back) == [("Chunk", "Bonding"), ("Section", "Bonding")]


def labelled(found: Neighbourhood) -> list[tuple[str, str]]:
    return sorted((node.label, node.title) for node in found.nodes)


COUNTED = [
    ("REFERENCES",),
    ("MENTIONS", "DEFINES"),
    ("REFERENCES", "MENTIONS", "DEFINES", "CONTAINS_STEP", "HAS_PARAMETER"),
]


@pytest.mark.parametrize("types", COUNTED)
def test_degrees_are_the_edges_that_neighbours_show(sample: Any, types: Any) -> None:
    ids = [sample.install.id, *(each.id for each in sample.network.parsed.sections), sample.install.parsed.chunks[1].id]
    ids += [entity(sample, "Parameter", "--host-ips"), "unknown"]
    found = sample.ask(lambda graph: graph.degrees(ids, sample.area, types=types))
    assert [each.id for each in found] == ids[:-1]
    for each in found:
        for count, direction in ((each.inward, "in"), (each.outward, "out")):
            around = sample.ask(
                lambda graph, way=direction, node=each.id: graph.neighbours(
                    [node], sample.area, types=types, direction=way, limit=100
                )
            )
            assert count == sum(node.label != "Chunk" for node in around.nodes), "a section and its chunks count once"
    assert any(each.inward for each in found) and any(each.outward for each in found)


@pytest.mark.parametrize("direction", ["in", "out"])
@pytest.mark.parametrize("types", COUNTED)
def test_hubs_have_most_edges_and_only_those_that_may_be_seen(sample: Any, types: Any, direction: Any) -> None:
    found = sample.ask(lambda graph: graph.hubs(sample.area, types=types, direction=direction, limit=100))
    assert found and [(-hub.edges, hub.node.id) for hub in found] == sorted((-hub.edges, hub.node.id) for hub in found)
    assert sample.ask(lambda graph: graph.hubs(sample.area, types=types, direction=direction, limit=2)) == found[:2]
    degrees = sample.ask(lambda graph: graph.degrees([hub.node.id for hub in found], sample.area, types=types))
    assert [each.inward if direction == "in" else each.outward for each in degrees] == [hub.edges for hub in found]
    narrow = Area(sample.project, "prod", doc_tags=("network",))
    seen = sample.ask(lambda graph: graph.hubs(narrow, types=types, direction=direction, limit=100))
    assert {hub.node.document_id for hub in seen} <= {sample.network.id, ""}


def test_a_path_may_be_asked_for_along_its_links_only(world: World) -> None:
    a = world.add("a.md", "# A\n\nSee [B](b.md).\n")
    b = world.add("b.md", "# B\n\nSee [C](c.md#c).\n")
    c = world.add("c.md", "# C\n\nThe end.\n")
    first, last = a.parsed.sections[0].id, c.parsed.sections[0].id
    ways = ("HAS_SECTION", "REFERENCES")
    ask = lambda way, one, other: world.ask(  # noqa: E731
        lambda graph: graph.paths([one], [other], world.area, max_hops=5, types=ways, direction=way)
    )
    (there,) = ask("out", first, last).paths
    assert there.nodes == (first, b.id, b.parsed.sections[0].id, last)
    assert there.types == ("REFERENCES", "HAS_SECTION", "REFERENCES")
    assert ask("out", last, first).paths == () and ask("in", first, last).paths == ()
    (back,) = ask("in", last, first).paths
    assert back.nodes == there.nodes[::-1] and ask("both", last, first).paths == (back,)


def test_a_name_joins_the_document_that_defines_it_even_if_it_comes_later(world: World) -> None:
    first = world.add("a.md", "# First\n\nThe Protocol Gateway does it.\n")
    ask = lambda graph: graph.related_sections([first.parsed.sections[0].id], world.area)  # noqa: E731
    assert world.ask(ask) == []
    world.add("b.md", GATEWAY)
    assert [(row.node.title, row.type) for row in world.ask(ask)] == [("Protocol Gateway", "DEFINES")] * 2
    world.truth.delete([document("b.md", GATEWAY, project=world.project).id])
    assert world.ask(ask) == []


def test_paths_are_the_shortest_ones_in_order(sample: Any) -> None:
    a, b = section(sample.install, "Verify"), section(sample.network, "Details")
    found = sample.ask(lambda graph: graph.paths([a], [b], sample.area, max_hops=5, max_paths=50))
    assert found.paths
    assert list(found.paths) == sorted(found.paths)
    assert {path.length for path in found.paths} == {found.paths[0].length}
    for path in found.paths:
        assert (path.nodes[0], path.nodes[-1], len(path.types)) == (a, b, path.length)
    few = sample.ask(lambda graph: graph.paths([a], [b], sample.area, max_hops=5, max_paths=1))
    assert few.paths == found.paths[:1]
    short = sample.ask(lambda graph: graph.paths([a], [b], sample.area, max_hops=found.paths[0].length - 1))
    assert short.paths == ()


def test_parents_and_children_follow_the_document(sample: Any) -> None:
    bonding, details = section(sample.network, "Bonding"), section(sample.network, "Details")
    above = sample.ask(lambda graph: graph.parents([details, bonding, sample.network.id], sample.area))
    assert [above[details].title, above[bonding].title] == ["Bonding", "Network Setup"]
    below = sample.ask(lambda graph: graph.children(bonding, sample.area))
    assert [node.label for node in below.nodes] == ["Section", "Chunk"]
    page = sample.ask(lambda graph: graph.children(bonding, sample.area, limit=1, skip=1))
    assert (page.nodes, page.more) == (below.nodes[1:2], False)


def test_a_procedure_has_its_steps_in_order(sample: Any) -> None:
    owner = section(sample.install, "Run the installer")
    found = sample.ask(lambda graph: graph.entities_for_sections([owner], sample.area, labels=["Procedure"]))
    steps = sample.ask(lambda graph: graph.children(found[0].entity.id, sample.area))
    assert [node.title for node in steps.nodes] == ["Download the package.", "Run the installer.", "Reboot."]
    above = sample.ask(lambda graph: graph.parents([steps.nodes[0].id], sample.area))
    assert above[steps.nodes[0].id] == found[0].entity


def test_mentions_are_counted_and_point_at_the_text(sample: Any) -> None:
    details = section(sample.network, "Details")
    found = sample.ask(lambda graph: graph.entities_for_sections([details], sample.area, labels=["Variable"]))
    assert [(each.entity.title, each.weight) for each in found] == [("WEKA_HOME", 2.0)]
    text = sample.network.parsed.text
    assert [text[start:end] for start, end in found[0].evidence] == ["WEKA_HOME", "WEKA_HOME"]
    back = sample.ask(lambda graph: graph.sections_for_entities([found[0].entity.id], sample.area))
    assert [(each.node.title, each.weight) for each in back] == [("Details", 2.0), ("Install the Cluster", 1.0)]
    chunk = next(each.id for each in sample.network.parsed.chunks if each.section_id == details)
    by_chunk = sample.ask(lambda graph: graph.entities_for_sections([chunk], sample.area, labels=["Variable"]))
    assert [each.entity for each in by_chunk] == [each.entity for each in found]


def test_entities_are_found_by_any_spelling_and_by_prefix(sample: Any) -> None:
    for name in ("Protocol Gateway", "the protocol   gateway", "PROTOCOL-GATEWAY"):
        found = sample.ask(lambda graph, name=name: graph.lookup(name, sample.area))
        assert [(node.label, node.title) for node in found] == [("Concept", "Protocol Gateway")]
    found = sample.ask(lambda graph: graph.lookup("weka", sample.area, prefix=True))
    assert {node.title for node in found} == {"WEKA_HOME", "weka cluster create"}
    assert sample.ask(lambda graph: graph.lookup("%", sample.area, prefix=True)) == []


def test_what_is_counted_is_what_can_be_seen(sample: Any) -> None:
    counted = sample.ask(lambda graph: graph.stats(sample.area))
    assert counted["Document"] == 3
    assert counted["Step"] == counted["CONTAINS_STEP"] == 3
    assert sample.ask(lambda graph: graph.stats(Area(sample.project, "dev"))) == {}


QUESTIONS: list[Callable[[Graph, list[str], Any], Awaitable[Any]]] = [
    lambda graph, ids, area: graph.describe(ids, area),
    lambda graph, ids, area: graph.neighbours(ids, area, hops=3, limit=100),
    lambda graph, ids, area: graph.paths(ids[:20], ids[-20:], area, max_hops=5, max_paths=50),
    lambda graph, ids, area: graph.parents(ids, area),
    lambda graph, ids, area: graph.entities_for_sections(ids, area),
    lambda graph, ids, area: graph.sections_for_entities(ids, area),
    lambda graph, ids, area: graph.related_sections(ids, area),
    lambda graph, ids, area: graph.related_sections(ids, area, shares=False),
]


def ids_in(answer: Any) -> set[str]:
    """Every 32-digit word of an answer."""
    import re

    return set(re.findall(r"\b[0-9a-f]{32}\b", repr(answer)))


@pytest.mark.parametrize("outside", ["project", "environment", "doc_tag", "repository"])
def test_nothing_out_of_scope_is_reached_by_any_question(world: World, outside: str) -> None:
    sample: Any = filled(world)
    place = {outside: "elsewhere"}
    hidden = sample.add("docs/secret.md", SECRET, **place)
    area = Area(sample.project, "prod", doc_tags=("guide", "network"), repositories=("",))
    parsed = hidden.parsed
    forbidden = {hidden.id} | {each.id for each in (*parsed.sections, *parsed.chunks)}
    forbidden.add(digest(hidden.place.project_id, hidden.place.environment, "Concept", "secret vault"))
    ids = [*forbidden, *ids_of(sample)][:100]

    async def run() -> None:
        await sample.settle()
        if outside == "project":
            await sync_neo4j(sample.truth, sample.settings, "elsewhere")
        for question in QUESTIONS:
            answer = await sample.both(lambda graph, question=question: question(graph, ids, area))
            assert not ids_in(answer) & forbidden
        assert await sample.both(lambda graph: graph.lookup("Secret Vault", area)) == []
        assert (await sample.both(lambda graph: graph.stats(area)))["Document"] == 3
        assert (await sample.both(lambda graph: graph.children(hidden.id, area))).nodes == ()

    world.runner.run(run())


def test_a_document_is_in_the_scope_of_any_of_its_tags(sample: Any) -> None:
    both = sample.add("docs/vault.md", SECRET, doc_tag="secret", other_tags=("network", "how-to"))
    ids = [*ids_of(sample)][:100]
    seen = {tag: Area(sample.project, "prod", doc_tags=(tag,)) for tag in ("secret", "network", "how-to", "guide")}

    async def run() -> None:
        await sample.settle()
        for tag, area in seen.items():
            for question in QUESTIONS:
                answer = await sample.both(lambda graph, question=question, area=area: question(graph, ids, area))
                assert tag != "guide" or both.id not in ids_in(answer)
            found = await sample.both(lambda graph, area=area: graph.describe([both.id], area))
            assert [node.doc_tag for node in found] == ["secret"] * (tag != "guide")
            assert bool(await sample.both(lambda graph, area=area: graph.lookup("Secret Vault", area))) == (
                tag != "guide"
            )
        assert (await sample.both(lambda graph: graph.stats(seen["network"])))["Document"] == 2

    sample.runner.run(run())


@pytest.mark.parametrize("hostile", ["' OR 1=1 --", "'}) MATCH (n) DETACH DELETE n //", "\0", "ü" * 500, ""])
def test_a_hostile_id_or_name_finds_nothing_and_changes_nothing(sample: Any, hostile: str) -> None:
    before = sample.ask(lambda graph: graph.stats(sample.area))
    for question in QUESTIONS:
        answer = sample.ask(lambda graph, question=question: question(graph, [hostile], sample.area))
        assert not ids_in(answer)
    sample.ask(lambda graph: graph.lookup(hostile, sample.area))
    sample.ask(lambda graph: graph.children(hostile, sample.area))
    assert sample.ask(lambda graph: graph.stats(Area(sample.project, hostile))) == {}
    assert sample.ask(lambda graph: graph.stats(sample.area)) == before


def test_an_unknown_type_or_a_limit_out_of_bounds_is_refused_with_what_is_allowed(sample: Any) -> None:
    for graph in sample.graphs:
        with pytest.raises(BadQuestion, match="Allowed: HAS_SECTION"):
            sample.runner.run(graph.neighbours([], sample.area, types=["MENTIONS]->() DELETE x //"]))
        with pytest.raises(BadQuestion, match="max_hops is 4"):
            sample.runner.run(graph.neighbours([], sample.area, hops=4))
        with pytest.raises(BadQuestion, match="max_paths is 51"):
            sample.runner.run(graph.paths([], [], sample.area, max_paths=51))
        with pytest.raises(BadQuestion, match="number of ids is 101"):
            sample.runner.run(graph.describe(["x"] * 101, sample.area))


def test_random_corpora_give_the_same_answers_after_every_change(world: World) -> None:
    chance = random.Random(7)
    titles = [f"{first} {second}" for first in ("Blue", "Red", "Green") for second in ("Engine", "Valve", "Pump")]

    def text(title: str) -> str:
        named = " and ".join(chance.sample(titles, 3))
        link = chance.choice(titles).replace(" ", "-").lower()
        flag = chance.choice(["--fast", "--slow"])
        return f"# {title}\n\nUses {named} with `{flag}`, see [it]({link}.md#parts).\n\n## Parts\n\n`tool run {flag}`\n"

    async def run() -> None:
        for round_ in range(3):
            for title in chance.sample(titles, 6):
                world.add(f"{title.replace(' ', '-').lower()}.md", text(title), doc_tag=chance.choice("ab"))
            if round_:
                gone = chance.choice(titles).replace(" ", "-").lower()
                world.truth.delete([document(f"{gone}.md", "x", project=world.project).id])
            await world.settle()
            ids = ids_of(world)
            for tags in ((), ("a",)):
                area = Area(world.project, "prod", tags)
                for question in QUESTIONS:
                    chosen = chance.sample(ids, min(len(ids), 12))
                    await world.both(
                        lambda graph, question=question, chosen=chosen, area=area: question(graph, chosen, area)
                    )
                await world.both(lambda graph, area=area: graph.stats(area))

    world.runner.run(run())


def test_a_hub_is_cut_the_same_way_everywhere_and_said(world: World) -> None:
    body = "".join(f"\n## Part {n}\n\nUse `--everywhere`.\n" for n in range(130))
    world.add("hub.md", f"# Hub\n{body}")
    hub = entity(world, "Parameter", "--everywhere")
    whole = world.ask(lambda graph: graph.neighbours([hub], world.area, limit=100, skip=200))
    assert (len(whole.nodes), whole.truncated, whole.more) == (60, False, False), "130 sections, 130 chunks"
    found = world.ask(lambda graph: graph.neighbours([hub], world.area, limit=100, hops=2, types=["MENTIONS"]))
    assert (len(found.nodes), found.truncated, found.more) == (100, True, False)


def test_a_chunk_has_the_relations_of_its_section(sample: Any) -> None:
    """It is what a search finds, and where a walk begins."""
    chunks = {each.section_id: each.id for each in sample.network.parsed.chunks}
    bonding = section(sample.network, "Bonding")
    for how in (
        {"types": ["MENTIONS", "DEFINES", "REFERENCES"], "direction": "out"},
        {"types": ["REFERENCES"], "direction": "in"},
    ):
        of_section, of_chunk = (
            sample.ask(lambda graph, each=each, how=how: graph.neighbours([each], sample.area, **how))
            for each in (bonding, chunks[bonding])
        )
        stated = [node for node in of_section.nodes if node.label != "Chunk"]
        assert stated
        assert list(of_chunk.nodes) == stated
    installing = next(
        each.id
        for each in sample.install.parsed.chunks
        if each.section_id == section(sample.install, "Install the Cluster")
    )
    found = sample.ask(lambda graph: graph.paths([installing], [chunks[bonding]], sample.area))
    assert {path.length for path in found.paths} == {2}
    assert found.paths[0].nodes[0] == installing


def test_what_is_named_together_in_two_sections_is_connected(sample: Any) -> None:
    """Only when it is asked for: it is derived, and would crowd every other walk."""
    option, gateway = entity(sample, "Parameter", "--host-ips"), entity(sample, "Concept", "protocol gateway")
    ways = [
        sample.ask(
            lambda graph, way=way: graph.neighbours([option], sample.area, types=["CO_MENTIONED"], direction=way)
        )
        for way in ("out", "in", "both")
    ]
    assert ways[0] == ways[1] == ways[2]
    assert {"weka cluster create", "Protocol Gateway"} == {node.title for node in ways[0].nodes}
    found = sample.ask(lambda graph: graph.paths([option], [gateway], sample.area, types=["CO_MENTIONED"]))
    assert [path.types for path in found.paths] == [("CO_MENTIONED",)]
    plain = sample.ask(lambda graph: graph.neighbours([option], sample.area, hops=3, limit=100))
    assert "CO_MENTIONED" not in {edge.type for edge in plain.edges}
    narrow = Area(sample.project, "prod", doc_tags=("network",))
    assert sample.ask(lambda graph: graph.neighbours([option], narrow, types=["CO_MENTIONED"])).nodes == ()
