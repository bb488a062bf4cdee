"""How alike two tools, or two arguments, are: what is gone here and came there under another name was renamed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from wekadocs_contracts.diff.model import ToolSide

from .keywords import NOTES, canonical, mapping

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_COMMON = frozenset({"a", "an", "and", "as", "by", "for", "from", "in", "is", "it", "of", "on", "or", "the", "this",
                     "to", "tool", "use", "when", "with", "you"})  # fmt: skip
_ENOUGH = 0.7
_WITHOUT_RIVALS = 0.5  # where nothing else that came or went is half as alike
_MOST = 200  # of either side: more cannot all have been renamed

Renamed = dict[int, ToolSide]  # id of the old side → the new one


def renamed_tools(gone: Sequence[ToolSide], came: Sequence[ToolSide]) -> Renamed:
    """Which of those that are gone came back under another name: the most alike first, each once."""
    if not gone or not came or max(len(gone), len(came)) > _MOST:
        return {}
    pairs = [(_tools(old, new), old, new) for old in gone for new in came if old.name != new.name]
    found: Renamed = {}
    for score, old, new in sorted(pairs, key=lambda pair: -pair[0]):
        rivals = [each for each, *both in pairs if each < score and (both[0] is old or both[1] is new)]
        enough = score >= _ENOUGH or (score >= _WITHOUT_RIVALS and score >= 2 * max(rivals, default=0.0))
        if (
            enough
            and _may_be(old, new, score)
            and id(old) not in found
            and all(new is not each for each in found.values())
        ):
            found[id(old)] = new
    return found


def _may_be(old: ToolSide, new: ToolSide, score: float) -> bool:
    """What is only half alike needs a name of the same words, and an argument that stayed."""
    mine, theirs = _words(old.name), _words(new.name)
    named = names(old.name, new.name) >= _ENOUGH or (len(mine) > 1 < len(theirs) and (mine <= theirs or theirs <= mine))
    return score >= _ENOUGH or (named and bool(_arguments(old) & _arguments(new)))


def _tools(old: ToolSide, new: ToolSide) -> float:
    """Between 0 and 1. A schema says the more, the more is in it; a description says much."""
    mine, theirs = _arguments(old), _arguments(new)
    parts = [(0.3, names(old.name, new.name))]
    parts.append((0.4 * min(1.0, max(len(mine), len(theirs)) / 3), _shared(mine, theirs)))
    told = (_said(old), _said(new))
    if all(told):
        parts.append((0.3, _shared(*told)))
    return sum(weight * score for weight, score in parts) / sum(weight for weight, _ in parts)


def names(old: str, new: str) -> float:
    """By words, or by letters, whichever is more."""
    return max(_shared(_words(old), _words(new)), SequenceMatcher(None, old.lower(), new.lower()).ratio())


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORDS.findall(name)}


def _arguments(side: ToolSide) -> set[str]:
    declared = mapping(mapping(side.wire.get("inputSchema")).get("properties"))
    return {f"{name}:{canonical(mapping(each).get('type'))}" for name, each in declared.items()}


def _said(side: ToolSide) -> set[str]:
    text = side.wire.get("description")
    words = re.findall(r"\w+", text.lower()) if isinstance(text, str) else []
    return set(words[:400]) - _COMMON


def _shared(mine: set[str], theirs: set[str]) -> float:
    return len(mine & theirs) / len(mine | theirs) if mine or theirs else 1.0


def schemas(old: object, new: object) -> float:
    """Of two arguments or fields, whatever their names: 1 where they say the same, notes aside."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return 1.0 if canonical(old) == canonical(new) else 0.0
    mine, theirs = ({f"{key}={canonical(each)}" for key, each in side.items() if key not in NOTES}
                    for side in (old, new))  # fmt: skip
    return _shared(mine, theirs)
