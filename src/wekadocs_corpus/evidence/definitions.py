"""What tells what a name means: a row, an entry of a list, a line or a heading that begins with it."""

from __future__ import annotations

import re
from functools import lru_cache

from wekadocs_corpus.lexical import names

_MOST_NAMES = 8
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


@lru_cache(maxsize=64)
def entry_of(question: str) -> re.Pattern[str] | None:
    """Finds such a place for the identifiers, flags and codes in a question, or for what it asks the meaning of."""
    found = [re.escape(name) for name in names(question)[:_MOST_NAMES]]
    asked = _WHAT.fullmatch(question)
    term = r"\s+".join(re.escape(word) for word in _PLURAL.sub("", asked[1]).split()) if asked else ""
    if not found and not term:
        return None
    ways = [_HEADING.replace("BOTH", "|".join([*found, *([term] if term else [])]))]
    ways += [_ROW.replace("NAMES", "|".join(found))] if found else []
    ways += [_TERM.replace("TERM", term)] if term else []
    return re.compile(f"^(?:{'|'.join(ways)})", re.IGNORECASE | re.MULTILINE)
