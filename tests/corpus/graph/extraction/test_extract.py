"""What a document says about the graph."""

from __future__ import annotations

import pytest
from graph_documents import document
from hypothesis import given, settings
from hypothesis import strategies as st

from wekadocs_corpus.documents import Unreadable
from wekadocs_corpus.graph.extraction.extract import extract
from wekadocs_corpus.graph.extraction.link_targets import resolve
from wekadocs_corpus.graph.extraction.names import concept_key
from wekadocs_corpus.graph.extraction.rules import BadRules, EntityRules, read_rules
from wekadocs_corpus.model import Document, GraphPart, digest


def entities(text: str, rules: EntityRules | None = None, *labels: str) -> set[tuple[str, str]]:
    found = extract(document("a.md", text), rules).entities
    return {(each.label, each.name) for each in found if each.label not in ("Concept", "Procedure", "Step")}


def names(text: str, title: str = "Page") -> set[str]:
    """The titles that the text would be joined with, out of those a reader might think of."""
    made = document("a.md", f"# {title}\n\n{text}\n")
    targets = {edge.target for edge in extract(made).names}
    return {key for key in CANDIDATES if digest("p", "prod", "Concept", key) in targets}


CANDIDATES = [
    concept_key(name)
    for name in (
        "Protocol Gateway",
        "Gateway",
        "Lester Smith",
        "The Beatles",
        "Laie, Hawaii",
        "Ann B. Davis",
        "University of Oxford",
        "Romeo and Juliet",
        "Lisbon",
        "Manage S3 buckets",
        "However",
        "Hilo, Kona",
        "Apollo 11",
        "Ärztliche Übung",
        "Page",
    )
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Pass `--force-all` or --dry-run.", {("Parameter", "--force-all"), ("Parameter", "--dry-run")}),
        ("Pass `--size=10`.", {("Parameter", "--size")}),
        ("Set `WEKA_HOME` and $WEKA_CACHE_DIR.", {("Variable", "WEKA_HOME"), ("Variable", "WEKA_CACHE_DIR")}),
        ("Edit /etc/weka/agent.conf now.", {("File", "/etc/weka/agent.conf")}),
        ("Edit ~/conf/a.yaml and `tools.yaml`.", {("File", "~/conf/a.yaml"), ("File", "tools.yaml")}),
        ("Runs on Ubuntu 22.04 only.", {("Product", "Ubuntu"), ("Version", "22.04")}),
        (
            "Fails with ORA-00600 or ERR_NO_SPACE or `ENOSPC`.",
            {("Error", "ORA-00600"), ("Error", "ERR_NO_SPACE"), ("Error", "ENOSPC")},
        ),
        ("Call `open_index()` or `GET /api/v2/hosts`.", {("Api", "open_index"), ("Api", "GET /api/v2/hosts")}),
        ("The key `server.max_size` is read.", {("Configuration", "server.max_size")}),
        ("```bash\nsudo weka fs create --size 3\n```", {("Command", "weka fs create"), ("Parameter", "--size")}),
        ("```\n$ cat notes.txt\nfree text --no-flag\n```", {("Command", "cat")}),
        ("```yaml\nserver:\n  port: 1\n```", {("Configuration", "server"), ("Configuration", "port")}),
    ],
)
def test_entities_are_recognised_by_a_form_that_leaves_no_doubt(text: str, found: set[tuple[str, str]]) -> None:
    assert entities(f"# Page\n\n{text}\n") == found


@pytest.mark.parametrize(
    "text",
    [
        "AES-256, SHA-256, RHEL-8 and a-b-c.",
        "See Figure 3.1, Table 2.2 and Section 4.1.",
        "A plain `word` and and/or, 10/20, n/a.",
        "An em--dash and a -- too.",
        "Visit https://example.org/a/b/--flag/c.html now.",
        "<div class='X_Y'>text</div>",
        "It costs 3.50 and grows 1.5-fold.",
    ],
)
def test_what_only_looks_like_an_entity_is_none(text: str) -> None:
    assert entities(f"# Page\n\n{text}\n") == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It uses the Protocol Gateway's cache.", {"protocol gateway"}),
        ("created by Lester Smith and the Beatles.", {"lester smith", "beatles"}),
        ("lives in Laie, Hawaii.", {"laie hawaii"}),
        ("visits Laie, Hilo, Kona.", set()),
        ("with Ann B. Davis.", {"ann b davis"}),
        ("at the University of Oxford in Lisbon.", {"university of oxford", "lisbon"}),
        ("plays Romeo and Juliet.", {"romeo and juliet"}),
        ("However, it works.", set()),
        ("see [manage S3 buckets](x.md).", {"manage s3 buckets"}),
        ('called "Manage S3 Buckets" or **Gateway**.', {"manage s3 buckets", "gateway"}),
        ("like Apollo 11 and die Ärztliche Übung.", {"apollo 11", "ärztliche übung"}),
        ("`Protocol Gateway` in code", set()),
        ("This Page is itself.", set()),
    ],
)
def test_a_text_names_titles_that_may_come_later(text: str, found: set[str]) -> None:
    assert names(text) == found


def test_titles_and_headings_define_concepts_but_general_words_do_not() -> None:
    part = extract(document("a.md", "# The Disk Cache (beta)\n\n## Overview\n\nx\n\n## Prefetch Rules\n\nx\n"))
    assert {(each.key, each.name) for each in part.entities} == {
        ("disk cache", "The Disk Cache (beta)"),
        ("prefetch rules", "Prefetch Rules"),
    }


def test_options_belong_to_the_command_of_their_line() -> None:
    part = extract(document("a.md", "# A\n\n```sh\nweka fs create \\\n  --size 1\nmount --bind\n```\n"))
    by_id = {each.id: each.name for each in part.entities}
    pairs = {(by_id[edge.source], by_id[edge.target]) for edge in part.edges if edge.type == "HAS_PARAMETER"}
    assert pairs == {("weka fs create", "--size"), ("mount", "--bind")}


@pytest.mark.parametrize(
    ("text", "label", "key"),
    [
        ("## `weka fs add --size`\n\nIt adds.", "Command", "weka fs add"),
        ("## WEKA-1234: no quorum\n\nWait.", "Error", "weka-1234"),
        ("| option | meaning |\n|---|---|\n| `--force` | no question |\n", "Parameter", "--force"),
        ("| code | meaning |\n|---|---|\n| WEKA-1234 | no quorum |\n", "Error", "weka-1234"),
        ("- `WEKA_HOME`: where it lives\n", "Variable", "weka_home"),
        ("**`cluster.name`** — what it is called\n", "Configuration", "cluster.name"),
    ],
)
def test_where_a_name_is_explained_it_is_defined(text: str, label: str, key: str) -> None:
    assert kinds(text, label, key) == ["DEFINES"]


@pytest.mark.parametrize(
    ("text", "label", "key"),
    [
        ("Set `--force` with care.\n", "Parameter", "--force"),
        ("- `--force` is dangerous\n", "Parameter", "--force"),
        ("- use `WEKA_HOME`: it is set\n", "Variable", "weka_home"),
        ("| 1 | `--force` |\n", "Parameter", "--force"),
        ("```yaml\ncluster.name: a\n```\n", "Configuration", "cluster.name"),
        ("| Ubuntu 22.04 | yes |\n", "Product", "ubuntu"),
    ],
)
def test_where_a_name_is_merely_used_it_is_mentioned(text: str, label: str, key: str) -> None:
    assert kinds(text, label, key) == ["MENTIONS"]


def kinds(text: str, label: str, key: str) -> list[str]:
    part = extract(document("a.md", text if text.startswith("#") else f"# Page\n\n{text}"))
    (found,) = [each.id for each in part.entities if (each.label, each.key) == (label, key)]
    return [edge.type for edge in part.edges if edge.target == found]


def test_a_label_says_that_all_words_are_the_command() -> None:
    text = "# Page\n\n**Command:** `weka nfs kerberos service setup`\n\nIt says `yes or no` then.\n"
    assert entities(text, None, "Command") == {("Command", "weka nfs kerberos service setup")}


def test_a_synopsis_tells_where_a_command_ends() -> None:
    text = "Run `strata mount <filesystem>`.\n\n```bash\nstrata mount projects /mnt\nstrata fs list\n```\n"
    assert entities(text, None, "Command") == {("Command", "strata mount"), ("Command", "strata fs list")}
    group = "Run `strata fs <command>`.\n\n```bash\nstrata fs list\n```\n"
    assert ("Command", "strata fs list") in entities(group, None, "Command")


def test_ordered_lists_are_procedures_and_each_section_has_its_own() -> None:
    made = document("a.md", "# A\n\n1. One `x`.\n2. Two.\n\n1. Alone.\n\n## B\n\n1. Three.\n1. Four.\n")
    part = extract(made)
    by_id = {each.id: each for each in part.entities}
    steps = [(by_id[edge.source].name, by_id[edge.target].name) for edge in part.edges if edge.type == "CONTAINS_STEP"]
    assert steps == [("A", "One x."), ("A", "Two."), ("B", "Three."), ("B", "Four.")]


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("b.md", ("docs/b.md", "")),
        ("../b.md#part", ("b.md", "part")),
        ("/b.md?x=1#a%20b", ("b.md", "a b")),
        ("#here", ("docs/a.md", "here")),
        ("./sub//c%20d.md", ("docs/sub/c d.md", "")),
        ("..\\b.md", ("b.md", "")),
        ("../../etc/passwd", None),
        ("%2e%2e/%2e%2e/x", None),
        ("https://example.org/b.md", None),
        ("//example.org/b.md", None),
        ("mailto:a@example.org", None),
        ("a%00b.md", None),
        ("#", None),
        ("", None),
        ("x" * 2000, None),
    ],
)
def test_a_link_is_a_path_under_the_root_or_nothing(target: str, found: tuple[str, str] | None) -> None:
    assert resolve("docs/a.md", target) == found


def test_links_are_kept_with_the_section_they_stand_in() -> None:
    made = document("docs/a.md", "# A\n\n[x](b.md)\n\n## B\n\n[y](c.md#p) [z](https://example.org)\n")
    titles = {section.id: section.title for section in made.parsed.sections}
    links = extract(made).links
    assert [(titles[link.section_id], link.path, link.anchor) for link in links] == [
        ("A", "docs/b.md", ""),
        ("B", "docs/c.md", "p"),
    ]


RULES = {
    "entities": [
        {"label": "Product", "names": ["SnapTool", "WEKA Home"]},
        {"label": "Ticket", "pattern": "WEK-[0-9]{4,6}"},
    ],
    "ignore": ["Protocol Gateway"],
}


def test_a_user_adds_names_and_patterns() -> None:
    found = entities("# A\n\nUse snaptool with WEKA  home; see WEK-1234.\n", read_rules(RULES))
    assert found == {("Product", "SnapTool"), ("Product", "WEKA Home"), ("Ticket", "WEK-1234")}


def test_an_ignored_name_is_no_concept() -> None:
    made = document("a.md", "# Protocol Gateway\n\nx\n")
    assert extract(made).entities
    assert not extract(made, read_rules(RULES)).entities


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([], "a mapping is needed"),
        ({"entity": []}, "unknown key `entity`; known: entities, ignore"),
        ({"entities": {}}, "entities: a list is needed"),
        ({"entities": [{"label": "product", "names": ["x"]}]}, r"entities\[0\].label: 'product' is no label"),
        ({"entities": [{"label": "Section", "names": ["x"]}]}, "made by the graph itself"),
        ({"entities": [{"label": "A"}]}, "either `pattern` or `names`"),
        ({"entities": [{"label": "A", "names": ["x"], "pattern": "x"}]}, "either `pattern` or `names`"),
        ({"entities": [{"label": "A", "names": [3]}]}, r"names\[0\]: a text"),
        ({"entities": [{"label": "A", "pattern": "("}]}, "not a regular expression"),
        ({"entities": [{"label": "A", "pattern": "(a+)+b"}]}, "unbounded or nested repeat"),
        ({"entities": [{"label": "A", "pattern": "a*"}]}, "unbounded or nested repeat"),
        ({"entities": [{"label": "A", "pattern": "(a{1,9}){1,9}b"}]}, "unbounded or nested repeat"),
        ({"entities": [{"label": "A", "pattern": "(a|a){1,30}b"}]}, "unbounded or nested repeat"),
        ({"entities": [{"label": "A", "pattern": "a{0,99}a{0,99}a{0,99}b"}]}, "too many ways|may be slow"),
        ({"entities": [{"label": "A", "pattern": "(?=a)b"}]}, "look-around"),
        ({"entities": [{"label": "A", "pattern": r"(a)\1"}]}, "look-around and references"),
    ],
)
def test_rules_that_cannot_be_used_are_refused_with_the_place_and_the_way_out(rules: object, message: str) -> None:
    with pytest.raises(BadRules, match=message):
        read_rules(rules)


def sound(made: Document, part: GraphPart) -> None:
    known = {each.id for each in part.entities} | {made.id} | {each.id for each in made.parsed.sections}
    assert len({each.id for each in part.entities}) == len(part.entities)
    for edge in part.edges + part.names:
        assert edge.source in known
        assert edge.weight >= len(edge.evidence) >= 1
        assert all(0 <= start <= end <= len(made.parsed.text) for start, end in edge.evidence)


PIECES = st.sampled_from(
    [
        "# ",
        "\n",
        "```",
        "`",
        "--a",
        "A",
        "b ",
        "1. ",
        "[x](y)",
        "$X_Y",
        "/a/b",
        ". ",
        "é",
        "\0",
        "Ab Cd",
        "**",
        '"',
        "\\\n",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_text_gives_a_sound_part_and_always_the_same(text: str) -> None:
    try:
        made = document("a.md", text)
    except Unreadable:  # little else than NUL: not taken for a text
        return
    part = extract(made)
    sound(made, part)
    assert extract(made) == part


@pytest.mark.parametrize(
    "unit", ["A ", "a_", "A_", "--a-", "/a", "1. x\n", "`", "[", "A.", "A, ", "0x", "E-", "\\\n", "**", '"a']
)
def test_hostile_repetition_is_bounded_in_size_and_finishes(unit: str) -> None:
    made = document("a.md", unit * (200_000 // len(unit)))
    part = extract(made)
    sound(made, part)
    assert len(part.edges + part.names) < 200 * len(made.parsed.sections) + 2_000
