"""What kind of answer a question asks for, by how it is put: steps, what a name means, what changed, an acronym."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MOST_NAMES = 8
_MOST_ACRONYMS = 3
_HOW = re.compile(
    r"[\s¿]*(?:how (?:do|can|to|should|would|could|must)|wie (?:kann|muss|soll|\w+ (?:ich|man|wir))"
    r"|comment|cómo|como)\b|.*\bsteps\b",
    re.I,
)
_HISTORY = re.compile(
    r"\b(?:change[sd]?|changelogs?|new|newer|news|latest|release[sd]?|versions?|since|deprecated|removed|drop(?:ped)?|"
    r"upgrad\w+|migrat\w+|breaking|history|introduced|added|fixed|blog)\b|\d+\.\d+",
    re.I,
)
_ACRONYM = re.compile(r"(?<![\w./:@`-])[A-Z]{2,8}(?![\w/:@`-]|\.\w|\(\))")
_WHAT = re.compile(
    r"\s*(?:what(?:'s|\s+is|\s+are|\s+does)|define|explain)\s+(?:an?\s+|the\s+)?"
    r"([^\W_][\w.+/'-]*(?:\s+[\w.+/'-]+){0,3}?)(?:\s+(?:mean|do|stand\s+for))?\s*[?.]?\s*",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"(?<=\w{3})(?<!s)s$")  # the singular is what is looked for, with any ending
_MARKS = r"[*_`\"“”\[\]]{0,4}"
_ASIDE = r"(?:[ \t]*\([^()\n]{0,40}\)[*_]{0,2})?[ \t]*"
# A row or an entry that has the option, key or code among its first words.
_ROW = r"[ \t]*(?:\||[-*+][ \t]+|(?=[`*]))[^|:\n]{0,60}?(?<![\w-])-{0,2}(?:NAMES)(?![\w-])[^|:\n]{0,60}[|:]"
# What is asked for, as a glossary has it: **Lease** (of a client): the right to ...
_TERM = rf"[ \t]*(?:\|[ \t]*|[-*+][ \t]+)?{_MARKS}(?:TERM)(?:e?s)?{_MARKS}{_ASIDE}[:|—\u2013]"
_HEADING = rf"#{{1,6}}[ \t]+{_MARKS}(?:(?:the|an?)[ \t]+)?-{{0,2}}(?:BOTH)(?:e?s)?(?:\(\))?{_MARKS}[:.]?{_ASIDE}$"


def asks_how(question: str) -> bool:
    return bool(_HOW.match(question))


def asks_for_history(question: str) -> bool:
    return _HISTORY.search(question) is not None


def acronyms(question: str) -> list[str]:
    """Capitals that stand alone; none in a question that is all capitals, where they mean nothing."""
    found = list(dict.fromkeys(_ACRONYM.findall(question)))
    return found[:_MOST_ACRONYMS] if any(letter.islower() for letter in question) else []


def entry_of(question: str, names: Sequence[str]) -> re.Pattern[str] | None:
    """Finds a row, an entry of a list, a line or a heading that begins with one of the names, or with what it asks
    the meaning of: such a place tells what that means."""
    found = [re.escape(name) for name in names[:_MOST_NAMES]]
    asked = _WHAT.fullmatch(question)
    term = r"\s+".join(re.escape(word) for word in _PLURAL.sub("", asked[1]).split()) if asked else ""
    if not found and not term:
        return None
    ways = [_HEADING.replace("BOTH", "|".join([*found, *([term] if term else [])]))]
    ways += [_ROW.replace("NAMES", "|".join(found))] if found else []
    ways += [_TERM.replace("TERM", term)] if term else []
    return re.compile(f"^(?:{'|'.join(ways)})", re.IGNORECASE | re.MULTILINE)
