"""What one edit did: its echoes folded into one row, and the same edit in many tools told once.

Every row stays a row of its own for programs; what belongs together shares a `group`.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from wekadocs_contracts.diff.model import Change, Verdict
from wekadocs_text import one_line

from . import likeness

ORDER: dict[Verdict, int] = {"none": 0, "docs": 1, "additive": 2, "breaking": 3}
_REMOVED = ("argument-removed", "field-removed")
_ADDED = ("argument-added", "field-added", "field-added-closed")
_OWN = frozenset({"tool-removed", "major-removed", "tool-disabled"})  # each of them is a loss of its own
WORDS = "description-changed"
_WORD = re.compile(r"\w+(?:[.-]\w+)*|[^\w\s]")
_FEW = 8  # words of a description that may echo another change


@dataclass(frozen=True)
class Cause:
    """The rows of one cause, the one that is told first."""

    rows: tuple[Change, ...]

    @property
    def lead(self) -> Change:
        return self.rows[0]

    @property
    def gone(self) -> Change | None:
        """The name that is lost, where that is what happened."""
        return next((row for row in self.rows if row.rule in _REMOVED), None)

    @property
    def placed(self) -> Change:
        """Where one looks first: at the new name, where there is one."""
        if self.lead.rule == "tool-removed":
            return next((row for row in self.rows if row.rule == "tool-added"), self.lead)
        return next((row for row in self.rows if row.rule in _ADDED and row.tool == self.lead.tool), self.lead)

    @property
    def tools(self) -> list[str]:
        return list(dict.fromkeys(row.tool for row in self.rows))

    @property
    def sentence(self) -> str:
        """What was done, unless only an echo of it is left."""
        return self.lead.cause if self.lead.cause and len(self.rows) > 1 else self.lead.message

    @property
    def fingerprint(self) -> str:
        """What accepts all of it, and nothing more."""
        return self.lead.group or self.lead.fingerprint


def causes(rows: Sequence[Change]) -> list[Cause]:
    """In the order of the rows; those of one group together, the one that says most first."""
    found: dict[str, list[Change]] = {}
    for index, row in enumerate(rows):
        found.setdefault(row.group or f"{index}", []).append(row)
    return [Cause(tuple(sorted(each, key=_rank))) for each in found.values()]


def _rank(row: Change) -> tuple[int, bool, bool]:
    return -ORDER[row.verdict], row.witness is None, row.rule not in _REMOVED


def grouped(rows: Sequence[Change]) -> list[Change]:
    """The same rows; those of one cause with a group, which changes with any of them."""
    alike: dict[object, list[Change]] = {}
    for cluster in _edits(rows):
        alike.setdefault(_signature(cluster), []).extend(cluster)
    marked = {row.fingerprint: row for cluster in alike.values() if len(cluster) > 1 for row in _marked(cluster)}
    return [marked.get(row.fingerprint, row) for row in rows]


def _marked(cluster: list[Change]) -> Iterator[Change]:
    """By what was done; words that only echo it may be others without making it another change."""
    prints = sorted(row.fingerprint for row in cluster if not _is_echo(row) or _is_echo(cluster[0]))
    group = prints[0] if len(prints) == 1 else hashlib.sha256("\n".join(prints).encode()).hexdigest()[:12]
    return (replace(row, group=group) for row in cluster)


def _is_echo(row: Change) -> bool:
    return row.rule == WORDS or (row.verdict == "none" and _is_keyword(row))


def _signature(cluster: list[Change]) -> object:
    """Equal where the same was done to another tool."""
    if any(row.rule in _OWN for row in cluster):
        return cluster[0].fingerprint
    told = [(row.rule, row.direction, row.verdict, row.proof == "unproven", row.message, row.tags) for row in cluster]
    return tuple(sorted(told))


def _edits(rows: Sequence[Change]) -> Iterator[list[Change]]:
    """Rows of one edit each: of one tool, or of a tool and what it is called now."""
    by_tool: dict[str, list[Change]] = {}
    for row in rows:
        by_tool.setdefault(row.cause or row.tool, []).append(row)
    for name, own in by_tool.items():
        yield from [own] if own[0].cause == name else _of_tool(own)


def _of_tool(rows: list[Change]) -> list[list[Change]]:
    renamed = list(_renamed(rows))
    clusters = [[replace(row, cause=told) for row in pair] for pair, told in renamed]
    used = {row.fingerprint for pair, _ in renamed for row in pair}
    clusters += [[row] for row in rows if row.fingerprint not in used and not row.rule.startswith("required-")]
    for row in (each for each in rows if each.rule.startswith("required-")):
        _join_required(row, clusters)
    return _without_echoes_in_words(_without_safe_halves(clusters))


def _renamed(rows: list[Change]) -> Iterator[tuple[tuple[Change, Change], str]]:
    """What went and what came at one place, being alike."""
    demanded = {name for row in rows if row.rule.startswith("required-") for name in _of_required(row)}
    came = [row for row in rows if row.rule in _ADDED]
    gone = [row for row in rows if row.rule in _REMOVED]
    for old in gone:
        beside = [row for row in came if _at(row) == _at(old)]
        alone = len(beside) == 1 and len([row for row in gone if _at(row) == _at(old)]) == 1
        scores = {id(row): _alike(old, row, alone, demanded) for row in beside}
        best = max(beside, key=lambda row: scores[id(row)], default=None)
        if best is not None and scores[id(best)] >= 1:
            came.remove(best)
            besides = "" if likeness.schemas(old.before, best.after) == 1 else ", and its schema changed"
            yield (old, best), f"`{_path(old)}` renamed to `{one_line(_name(best))}`{besides}"


def _at(row: Change) -> tuple[str, str]:
    return row.direction, _home(row)


def _alike(gone: Change, came: Change, alone: bool, demanded: set[object]) -> float:
    """At least 1 where it is the same thing: alike in what it is, and in its name, its words, or for want of others."""
    schema = likeness.schemas(gone.before, came.after)
    named = likeness.names(_name(gone), _name(came))
    told = [each.get("description") if isinstance(each, dict) else None for each in (gone.before, came.after)]
    several = isinstance(told[0], str) and len(told[0].split()) >= 4
    words = 0.0 if not told[0] or told[0] != told[1] else 0.8 if several else 0.5
    instead = 0.4 if alone and schema == 1 and len({_name(gone), _name(came)} & demanded) != 1 else 0.0
    return schema + named + words + instead - 0.4 if schema >= 0.5 else 0.0


def _of_required(row: Change) -> set[object]:
    return {*_listed(row.before)} ^ {*_listed(row.after)}


def _join_required(row: Change, clusters: list[list[Change]]) -> None:
    """To need a new name, or no longer a lost one, belongs to the name."""
    names = _of_required(row)
    wanted = _REMOVED if row.rule == "required-widened" else _ADDED
    for cluster in clusters:
        for each in cluster:
            same = each.direction == row.direction and _home(each) == row.pointer.rsplit("/", 1)[0]
            if each.rule in wanted and same and names == {_name(each)}:
                told = each.cause or (each.message if wanted is _REMOVED else f"{each.message}, and required")
                cluster[:] = [replace(one, cause=told) for one in (*cluster, row)]
                return
    clusters.append([row])


def _without_safe_halves(clusters: list[list[Change]]) -> list[list[Change]]:
    """`type: string` that became `anyOf: [string, null]` is one edit: its half that changes nothing is no row."""
    alone = [each for each in clusters if len(each) == 1 and _is_keyword(each[0])]
    joined: list[list[Change]] = []
    for half in alone:
        beside = [each for each in alone if each is not half and _holder(each[0]) == _holder(half[0])]
        home = next((each for each in beside if each not in joined and _is_half(half[0], each[0])), None)
        if home is not None:
            told = home[0].cause or _of_null(home[0], half[0]) or home[0].message
            home[:] = [replace(row, cause=told) for row in (*home, *half)]
            joined.append(half)
    return [each for each in clusters if each not in joined]


def _is_half(row: Change, beside: Change) -> bool:
    return (row.verdict == "none" != beside.verdict) or bool(_of_null(beside, row))


def _is_keyword(row: Change) -> bool:
    return row.direction != "meta" and row.rule.endswith(("-narrowed", "-widened", "-changed"))


def _holder(row: Change) -> tuple[str, str]:
    return row.direction, row.pointer.rsplit("/", 1)[0]


def _of_null(row: Change, half: Change) -> str:
    """Pydantic's `Optional[X]`: X becomes `anyOf: [X, null]`, or the other way round."""
    for kind, choices, told in ((row.before, half.after, "null is allowed too"),
                                (row.after, half.before, "null is no longer allowed")):  # fmt: skip
        types = [each.get("type") if isinstance(each, dict) else None for each in _listed(choices)]
        if len(types) == 2 and isinstance(kind, str) and kind in types and "null" in types and kind != "null":
            return f"`{_path(row)}`: {told}"
    return ""


def _without_echoes_in_words(clusters: list[list[Change]]) -> list[list[Change]]:
    """A description that only repeats the numbers and names of another change is that change."""
    kept = [each for each in clusters if each[0].rule != WORDS]
    for cluster in (each for each in clusters if each[0].rule == WORDS):
        gone, came = _changed_words(cluster[0])
        home = _echoed(gone | came, [each for each in kept if each[0].rule != WORDS])
        if home is None or len(cluster) > 1:
            kept.append(cluster)
        else:
            told = home[0].cause or home[0].message
            home[:] = [replace(row, cause=told) for row in (*home, *cluster)]
    return kept


def _echoed(words: set[str], edits: list[list[Change]]) -> list[Change] | None:
    """The edit whose values these words are; where they are those of several, the first of them."""
    if not 0 < len(words) <= _FEW or not words <= {word for each in edits for word in _values(each)}:
        return None
    return max(edits, key=lambda each: (words <= _values(each), bool(words & _values(each))))


def _changed_words(row: Change) -> tuple[set[str], set[str]]:
    if not isinstance(row.before, str) or not isinstance(row.after, str):
        return set(), set()
    before, after = (Counter(_WORD.findall(text)) for text in (row.before, row.after))
    return set(before - after), set(after - before)


def _values(cluster: list[Change]) -> set[str]:
    """The numbers and the short words that an edit put in the place of others."""
    values = [value for row in cluster for each in (row.before, row.after) for value in (each, *_listed(each))]
    found = {str(value) for value in values if isinstance(value, int | float) or _is_word(value)}
    return found | {_name(row) for row in cluster if row.rule in (*_ADDED, *_REMOVED)}


def _is_word(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[\w.-]{1,40}", value) is not None


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _home(row: Change) -> str:
    """The object that a property belongs to."""
    return row.pointer.rsplit("/properties/", 1)[0]


def _name(row: Change) -> str:
    return row.pointer.rsplit("/", 1)[-1].replace("~1", "/").replace("~0", "~")


def _path(row: Change) -> str:
    return row.message.split("`")[1] if row.message.count("`") >= 2 else one_line(_name(row))
