"""From the words of a heading to its id, as each generator does it."""

from __future__ import annotations

import re
import unicodedata

_NOT_WORD = re.compile(r"[^\w\- ]")
_KEPT = ("L", "M", "Nd", "Nl", "Pc")  # kinds of characters
_TAG = re.compile(r"<[^<>]*>")
_VITEPRESS = re.compile(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'\u2018\u2019\u201c\u201d<>,.?/]+")
_NOT_IN_ASCIIDOC = re.compile(r"[^ \w\-.]")
_DIGRAPHS = str.maketrans(
    {"ß": "sz", "æ": "ae", "œ": "oe", "ȸ": "db", "ȹ": "qp"}  # as docutils writes them
)
_LETTERS = str.maketrans(
    {"ø": "o", "đ": "d", "ħ": "h", "\u0131": "i", "ł": "l", "ŧ": "t", "ƀ": "b", "ƃ": "b", "ƈ": "c", "ƌ": "d", "ƒ": "f",
     "ƙ": "k", "ƚ": "l", "ƞ": "n", "ƥ": "p", "ƫ": "t", "ƭ": "t", "ƴ": "y", "ƶ": "z", "ǥ": "g", "ȥ": "z", "ȷ": "j"}
)  # fmt: skip


def github(title: str) -> str:
    """GitHub, Docusaurus (github-slugger): letters, numbers, marks, `_` and `-`; every blank is a `-`."""
    words = title.strip().lower()
    return (_NOT_WORD.sub("", words) if words.isascii() else _kept(words)).replace(" ", "-")


def _kept(words: str) -> str:
    return "".join(sign for sign in words if sign in "- " or unicodedata.category(sign).startswith(_KEPT))


def python_markdown(title: str, separator: str = "-") -> str:
    """MkDocs: the slugs of Python-Markdown's `toc`, which keep ASCII only."""
    words = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = re.sub(r"[^\w\s-]", "", words).strip().lower()
    return re.sub(rf"[{re.escape(separator)}\s]+", separator.replace("\\", r"\\"), words)


def pymdown(title: str, separator: str = "-", case: str = "") -> str:
    """MkDocs with `pymdownx.slugs`: any letters, each blank its own separator."""
    words = _TAG.sub("", unicodedata.normalize("NFC", title)).strip()
    words = {"lower": str.lower, "lower-ascii": _lower_ascii, "fold": str.casefold}.get(case, str)(words)
    return re.sub(r"[^\w\- ]", "", words).replace(" ", separator)


def _lower_ascii(words: str) -> str:
    return re.sub("[A-Z]+", lambda found: found[0].lower(), words)


def docutils(title: str) -> str:
    """Sphinx: ASCII letters and numbers, beginning with a letter."""
    words = title.lower().translate(_LETTERS).translate(_DIGRAPHS)
    words = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words.split())).lstrip("-0123456789").rstrip("-")


def hugo(title: str, *, ascii_only: bool = False) -> str:
    """Goldmark as Hugo sets it up: letters, digits and `_`; every blank is a `-`."""
    words = title.strip().lower()
    if ascii_only:
        words = words.encode("ascii", "ignore").decode()
    kept = (sign for sign in words if sign in "-_ " or sign.isalpha() or sign.isdecimal())
    return "".join(kept).replace(" ", "-")


def mdbook(title: str) -> str:
    kept = (sign for sign in title.strip() if sign in "-_" or sign.isalnum() or sign.isspace())
    words = "".join("-" if sign.isspace() else sign for sign in kept)
    return _lower_ascii(words)


def vitepress(title: str) -> str:
    words = unicodedata.normalize("NFKD", title)
    words = re.sub(r"[\u0300-\u036f\x00-\x1f]", "", words)
    words = re.sub(r"-{2,}", "-", _VITEPRESS.sub("-", words)).strip("-")
    return (f"_{words}" if words[:1].isdecimal() else words).lower()


def kramdown(title: str) -> str:
    """Jekyll without GitHub's Markdown: ASCII letters first."""
    words = re.sub(r"[^a-zA-Z0-9 -]", "", re.sub(r"^[^a-zA-Z]+", "", title))
    return words.replace(" ", "-").lower()


def asciidoctor(title: str, prefix: str = "_", separator: str = "_") -> str:
    words = prefix + _NOT_IN_ASCIIDOC.sub("", title.lower())
    if not separator:
        return words.replace(" ", "")
    words = re.sub(rf"[ .\-{re.escape(separator)}]+", lambda _: separator, words).removesuffix(separator)
    return words if prefix else words.removeprefix(separator)


def gitbook(title: str) -> str:
    """GitBook keeps full stops; what begins with a number is called `id-…`."""
    words = title.strip().lower().replace("&", "and")
    kept = "".join(sign for sign in words if sign in "-_. " or sign.isalnum())
    slug = re.sub(r"-{2,}", "-", kept.replace(" ", "-")).strip("-")
    return f"id-{slug}" if slug[:1].isdecimal() else slug
