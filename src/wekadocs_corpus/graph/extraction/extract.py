"""What one document says about the graph: definitions, mentions with evidence, procedures, links. No model, no guess.

Hierarchy and order are not extracted: the truth's own columns state them, and every graph store derives its edges from
there. A mention of a title is an edge to the id the title's concept has or will have; it shows once a document
defines that concept, so the order of ingestion does not matter.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from wekadocs_corpus.model import Document, Edge, Entity, GraphPart, Section

from .code import Mention, in_block, in_prose, in_span
from .explanations import explains, heads
from .link_targets import link_targets
from .names import CONCEPT, Namer, code_key, concept_key, namer, says_something
from .phrases import phrases
from .procedures import procedures, step_places
from .regions import Regions, regions
from .rules import EntityRules
from .spellings import shown
from .synopses import synopses, without_argument

EXTRACTOR_VERSION = "5"  # part of the parser version: another one extracts again

_MOST_ENTITIES, _MOST_NAMES = 80, 60  # of one section
_MOST_EVIDENCE = 8  # spans of one mention; `weight` counts all
_MOST_PROCEDURES = 20  # of one section


def extract(document: Document, rules: EntityRules | None = None) -> GraphPart:
    """The part of the graph that belongs to this document."""
    if not document.parsed.sections:
        return GraphPart()
    gathered = _Gathered(document, rules or EntityRules())
    gathered.definitions()
    gathered.mentions()
    gathered.procedures()
    return GraphPart(
        tuple(gathered.entities.values()), tuple(gathered.edges()), link_targets(document), tuple(gathered.names())
    )


class _Seen:
    """How often, and the first places."""

    __slots__ = ("count", "spans")

    def __init__(self, start: int, end: int) -> None:
        self.count, self.spans = 1, [(start, end)]

    def add(self, start: int, end: int) -> None:
        self.count += 1
        if len(self.spans) < _MOST_EVIDENCE:
            self.spans.append((start, end))


class _Gathered:
    """Collects entities and edges in the order of the text, each once."""

    def __init__(self, document: Document, rules: EntityRules) -> None:
        self.entities: dict[str, Entity] = {}
        self._document, self._rules, self._id = document, rules, document.id
        self._text = document.parsed.text
        self._regions: Regions = regions(self._text)
        self._sections = document.parsed.sections
        self._starts = [section.start for section in self._sections]
        self._heading_ends = [self._heading_end(section) for section in self._sections]
        self._namer = namer(document.place.project_id, document.place.environment)
        self._seen: dict[tuple[str, str, str], _Seen] = {}
        self._names: dict[tuple[str, str], _Seen] = {}  # section, concept key
        self._room: dict[tuple[str, bool], int] = {}
        self._defined: set[tuple[str, str]] = set()
        self._explained: set[tuple[str, str, str]] = set()  # mentions that are definitions

    def edges(self) -> Iterator[Edge]:
        for stated, seen in self._seen.items():
            source, kind, target = stated
            kind = "DEFINES" if stated in self._explained else kind
            yield Edge(source, kind, target, float(seen.count), tuple(seen.spans))

    def names(self) -> Iterator[Edge]:
        concept = self._namer.id
        for (section, key), seen in self._names.items():
            yield Edge(section, "MENTIONS", concept(CONCEPT, key), float(seen.count), tuple(seen.spans))

    def _edge(self, source: str, kind: str, target: str, start: int, end: int) -> None:
        seen = self._seen.get((source, kind, target))
        if seen is None:
            self._seen[source, kind, target] = _Seen(start, end)
        else:
            seen.add(start, end)

    def _entity(self, label: str, key: str, name: str) -> str:
        entity = self._namer.entity(label, key, name)
        self._spell(entity)
        return entity.id

    def _spell(self, entity: Entity) -> None:
        known = self.entities.setdefault(entity.id, entity)
        if known.name != entity.name:
            self.entities[entity.id] = known._replace(name=shown(entity.label, (known.name, entity.name)))

    # Titles and headings.

    def definitions(self) -> None:
        first = self._sections[0]
        self._define(self._id, self._document.parsed.title, first.start, first.start)
        for section, end in zip(self._sections, self._heading_ends, strict=True):
            if section.level:
                self._define(section.id, section.title, section.start, end)

    def _define(self, source: str, title: str, start: int, end: int) -> None:
        key = concept_key(title)
        if says_something(key) and key not in self._rules.ignored:
            self._defined.add((source, key))
            self._edge(source, "DEFINES", self._entity(CONCEPT, key, title), start, end)

    def _heading_end(self, section: Section) -> int:
        """Where nothing is headed: before all text."""
        stop = self._text.find("\n", section.start, section.end) if section.level else 0
        return section.end if stop < 0 else stop

    # Mentions.

    def mentions(self) -> None:
        command: Mention | None = None
        for mention in self._code_mentions():
            self._mention(mention)
            if mention.label == "Command":
                command = mention
            elif mention.label == "Parameter" and command and self._one_line(command, mention):
                self._has_parameter(command, mention)
        for key, start, end in phrases(self._regions.prose):
            self._named(key, start, end)
        for link in self._document.parsed.links[:2_000]:
            key = concept_key(link.text)
            if len(key) > 3 and says_something(key):
                self._named(key, link.start, link.end)

    def _code_mentions(self) -> Iterator[Mention]:
        """What a user's rule says about a place is what it is."""
        ruled = list(self._rules.mentions(self._text))
        taken = {(mention.start, mention.end) for mention in ruled}
        yield from ruled
        shown = synopses(self._text, (*self._regions.spans, *((each.start, each.end) for each in self._regions.blocks)))
        for mention in self._built_in():
            if (mention.start, mention.end) not in taken:
                yield without_argument(mention, shown) if shown and mention.label == "Command" else mention

    def _built_in(self) -> Iterator[Mention]:
        for block in self._regions.blocks:
            yield from in_block(self._text, block)
        for start, end in self._regions.spans:
            yield from in_span(self._text, start, end)
        yield from in_prose(self._regions.prose)

    def _mention(self, mention: Mention) -> None:
        place, entity = self._place(mention.start), _entity(self._namer, mention.label, mention.name)
        section = self._sections[place].id
        stated = (section, "MENTIONS", entity.id)
        if stated in self._seen or self._room_left(section, named=False):
            self._spell(entity)
            self._edge(*stated, mention.start, mention.end)
            if heads(mention, self._heading_ends[place]) or explains(self._text, mention):
                self._explained.add(stated)

    def _one_line(self, command: Mention, option: Mention) -> bool:
        between = self._text[command.end : option.start]
        return 0 <= option.start - command.end < 400 and "\n" not in between.replace("\\\n", "")

    def _has_parameter(self, command: Mention, option: Mention) -> None:
        ends = [_entity(self._namer, each.label, each.name).id for each in (command, option)]
        if all(end in self.entities for end in ends):
            self._edge(ends[0], "HAS_PARAMETER", ends[1], option.start, option.end)

    def _named(self, key: str, start: int, end: int) -> None:
        """A name that some document may define; the entity itself comes with that document."""
        section = self._sections[self._place(start)].id
        seen = self._names.get((section, key))
        if seen is not None:
            seen.add(start, end)
        elif self._may_be_named(section, key):
            self._names[section, key] = _Seen(start, end)

    def _may_be_named(self, section: str, key: str) -> bool:
        defined = (self._id, key) in self._defined or (section, key) in self._defined
        return not defined and key not in self._rules.ignored and self._room_left(section, named=True)

    def _room_left(self, section: str, *, named: bool) -> bool:
        room = self._room.get((section, named), _MOST_NAMES if named else _MOST_ENTITIES)
        self._room[section, named] = room - 1
        return room > 0

    def _place(self, position: int) -> int:
        return max(0, bisect_right(self._starts, position) - 1)

    # Procedures.

    def procedures(self) -> None:
        for place in sorted({self._place(start) for start in step_places(self._regions.prose)}):
            section = self._sections[place]
            found = procedures(self._regions.prose, self._text, section.start, section.end)
            for number, steps in zip(range(_MOST_PROCEDURES), found, strict=False):
                title = section.title or self._document.parsed.title
                procedure = self._entity("Procedure", f"{section.id} {number}", title)
                self._edge(section.id, "DEFINES", procedure, steps[0].start, steps[-1].end)
                for count, step in enumerate(steps, 1):
                    # The text is part of the key: an edited step is another step, with its own name.
                    step_id = self._entity("Step", f"{section.id} {number} {count:03d} {step.text}", step.text)
                    self._edge(procedure, "CONTAINS_STEP", step_id, step.start, step.end)


@lru_cache(maxsize=16_384)
def _entity(names: Namer, label: str, written: str) -> Entity:
    shown = _shown(label, written)
    return names.entity(label, code_key(shown), shown)


def _shown(label: str, written: str) -> str:
    """An option without its value, a variable without its sigil, a command on one line."""
    if label == "Parameter":
        return written.partition("=")[0].partition(" ")[0]
    if label == "Variable":
        return written.strip("${}")
    return written.removesuffix("()") if label == "Api" else written
