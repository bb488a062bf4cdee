"""HTML to a flat stream of tags and text, in linear time.

html.parser of Python 3.11 needs 79 s for 60 KB of unclosed tags, and documents are hostile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

_NAME = re.compile(r"/?([A-Za-z][^\s/>]{0,60})")
_REST = re.compile(r"""[^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*>""")
_ATTRIBUTE = re.compile(r"""(?<![-\w:.])([A-Za-z_:][-\w:.]{0,60})(?:\s{0,20}=\s{0,20}("[^"]*"|'[^']*'|[^\s"'>]+))?""")
_LANGUAGE = re.compile(r"""[\s"'](?:language|lang|highlight-source|highlight)-([A-Za-z0-9+#_-]{1,20})""")
_NO_LANGUAGE = frozenset(("default", "none", "notranslate", "plain", "plaintext", "source", "text", "txt"))
_LONGEST_TAG = 20_000
_RAW = {name: re.compile(rf"</{name}\b[^>]*>", re.I) for name in ("script", "style", "title", "textarea")}


class Token(NamedTuple):
    kind: str  # open | close | text
    name: str = ""  # of the tag, lower case; or the text
    inside: str = ""  # the attributes as written

    def attributes(self) -> dict[str, str]:
        """Names in lower case; the first of two wins."""
        found: dict[str, str] = {}
        for name, value in _ATTRIBUTE.findall(self.inside):
            found.setdefault(name.lower(), unescape(value.strip("\"'")))
        return found

    def code_language(self) -> str:
        """What the classes of a block or of its code say: `language-sh`, `highlight-python`."""
        found = _LANGUAGE.search(self.inside[:500])
        name = found[1].lower() if found else ""
        return "" if name in _NO_LANGUAGE else name


def tokens(text: str) -> Iterator[Token]:
    """Tags and text in order; comments and declarations are left out, script and style are empty."""
    at, missing = 0, set[str]()  # what is known not to come any more is not looked for again
    while (less := text.find("<", at)) >= 0:
        end = _after(text, less, missing)
        if end == less + 1:  # no tag: a sign in the text
            yield Token("text", unescape(text[at:end]))
            at = end
            continue
        if less > at:
            yield Token("text", unescape(text[at:less]))
        at = end
        name = _NAME.match(text, less + 1)
        if not name:
            continue
        tag = name[1].lower()
        if text[less + 1] == "/":
            yield Token("close", tag)
            continue
        if tag not in _RAW:
            yield Token("open", tag, text[name.end() : end - 1])
        elif tag not in missing and (closing := _RAW[tag].search(text, at)):
            raw = text[at : closing.start()]
            yield Token("open", tag)
            yield Token("text", unescape(raw) if tag in ("title", "textarea") else "")
            yield Token("close", tag)
            at = closing.end()
        else:
            missing.add(tag)  # never closed: as if it were not there, so that the rest of the page is
    if at < len(text):
        yield Token("text", unescape(text[at:]))


def _after(text: str, less: int, missing: set[str]) -> int:
    """Where what begins with this sign ends; one further if it begins nothing."""
    if text.startswith("<!--", less):
        return _find(text, "-->", less + 4, missing) or _find(text, ">", less, missing) or less + 1
    if text.startswith(("<!", "<?"), less):
        return _find(text, ">", less, missing) or less + 1
    end = _find(text, ">", less, missing) if _NAME.match(text, less + 1) else 0
    if not end:
        return less + 1
    whole = _REST.match(text, less + 1, less + _LONGEST_TAG)
    return whole.end() if whole else end


def _find(text: str, what: str, start: int, missing: set[str]) -> int:
    """Just after it, or 0."""
    if what in missing:
        return 0
    found = text.find(what, start)
    if found < 0:
        missing.add(what)
        return 0
    return found + len(what)
