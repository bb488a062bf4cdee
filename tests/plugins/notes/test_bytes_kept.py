"""Whatever a note is made of: setting a property or following a rename keeps every byte that is not part of it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from wekadocs_notes.vault import read_note
from wekadocs_notes.vault.front_matter import read_front_matter
from wekadocs_notes.writing.texts.properties import with_properties
from wekadocs_notes.writing.texts.retargeting import retargeted

OTHERS = [
    "id:   7 # mine{eol}",
    "# a comment{eol}",
    "aliases: [x,   'y z']{eol}",
    "nested:{eol}  deep: {{a: 1,b: 2}}{eol}  list:{eol}  - 1{eol}",
    "text: |{eol}  one{eol}    two{eol}",
    "folded: >-{eol}  one{eol}  two{eol}",
    "{eol}",
    '"quoted key": "a: b # c"{eol}',
    "date: 2024-01-15{eol}",
    "empty:{eol}",
]
TAGGED = [
    "tags: [a, b]{eol}",
    "tags: a, b{eol}",
    "tags:{eol}- a{eol}- b{eol}",
    "tags:{eol}    - a # x{eol}",
    "tags:{eol}",
    "",
]
TITLED = [
    "title: One{eol}",
    "title: 'One'{eol}",
    'title: "One: two" # x{eol}',
    "title: >-{eol}  One{eol}  two{eol}",
    "title:{eol}",
    "",
]
WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn", "Zl", "Zp", "Co")), min_size=1, max_size=20).map(
    lambda text: " ".join(text.split())
).filter(bool)  # fmt: skip


def block(source: str, name: str) -> tuple[str, str]:
    """What stands before and behind a property."""
    lines = source.splitlines(keepends=True)
    first = next(place for place, line in enumerate(lines) if line.startswith(f"{name}:"))
    after = first + 1
    while after < len(lines) and lines[after].startswith((" ", "-")) and not lines[after].startswith("---"):
        after += 1
    return "".join(lines[:first]), "".join(lines[after:])


@settings(deadline=None, max_examples=150)
@given(
    before=st.lists(st.sampled_from(OTHERS), max_size=4, unique=True),
    behind=st.lists(st.sampled_from(OTHERS), max_size=4, unique=True),
    own=st.sampled_from([*((each, "tags") for each in TAGGED), *((each, "title") for each in TITLED)]),
    eol=st.sampled_from(["\n", "\r\n"]),
    mark=st.sampled_from(["", "\ufeff"]),
    body=st.sampled_from(["", "text", "# Head\n\ntext\n", "---\nnot: front\n---\n"]),
    words=st.lists(WORDS, min_size=1, max_size=3, unique=True),
)
def test_a_property_is_set_and_all_else_stays(before, behind, own, eol, mark, body, words):
    written, name = own
    rest = [each for each in behind if each not in before]
    inside = "".join([*before, written, *rest]).replace("{eol}", eol).replace("{{", "{").replace("}}", "}")
    body = body.replace("\n", eol)
    source = f"{mark}---{eol}{inside}---{eol}{body}"
    value = words if name == "tags" else words[0]
    known = read_front_matter(source)
    assert not known.fault
    changed = with_properties(source, {name: value})
    after = read_front_matter(changed)
    assert after.values == {**known.values, name: value} and changed[after.body_start :] == body
    if written:
        assert block(changed, name) == block(source, name)
    else:
        assert changed.startswith(f"{mark}---{eol}{inside}") and changed.endswith(f"---{eol}{body}")


FILLER = st.text(st.characters(exclude_characters="[]`~\\\ufeff", exclude_categories=("Cs",)), max_size=12)
TARGET = st.sampled_from(["old", "Old Note", "dir/old.md", "other", "日本", " spaced "])
TAIL = st.sampled_from(["", "|shown", "#head", "#^block", "#head|  shown ", "\\|in a table"])
MAPPING = {"old": "new", "Old Note": "New [Note", "dir/old.md": "dir/new.md", "spaced": "closer"}


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(FILLER, TARGET, TAIL), max_size=8), FILLER, st.sampled_from(["utf-8", "utf-16"]))
def test_links_are_rewritten_and_all_else_stays(pieces, end, encoding):
    before = "".join(f"{filler}[[{target}{tail}]]" for filler, target, tail in pieces) + end
    after = "".join(
        f"{filler}[[{target.replace(target.strip(), MAPPING.get(target.strip(), target.strip()))}{tail}]]"
        for filler, target, tail in pieces
    )
    links = read_note("a.md", before.encode()).links
    if len(links) != len(pieces):
        return  # the filler made code or front matter of some
    changed, count = retargeted("a.md", before.encode(encoding), MAPPING.get)
    assert changed == (after + end).encode(encoding)
    assert count == sum(target.strip() in MAPPING for _, target, _ in pieces)
