"""Which charset a text is in: its mark, what its server and its own first lines say, and what its bytes allow."""

from __future__ import annotations

import codecs
import re

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_LOOKED_AT = 4096
_META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{2,40})""", re.I)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w:.-]{2,40})["']""", re.I)
# By these names pages mean a larger set (https://encoding.spec.whatwg.org/#names-and-labels).
_MEANT = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
_USUAL = ("cp1252", "iso8859_2", "cp1250")  # of several that a text may as well be in
_AS_LIKELY = 0.05  # of coherence
_NOT_TEXT = frozenset({"utf-7", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"})


def charset_of(body: bytes, said: str | None) -> tuple[str, str | None]:
    """Its charset, and what its server said wrongly, if it did."""
    for mark, marked in _MARKS:
        if body.startswith(mark):
            return marked, None
    if _is_utf_8(body):  # bytes of another charset hardly ever are by chance
        wrong = said is not None and _known(said) not in (None, "utf-8", "cp1252") and not body.isascii()
        return _keeping(body, said), said if wrong else None
    named = [_known(each) for each in (said, _inside(body))]
    if _is_damaged_utf_8(body, named="utf-8" in named):
        return "utf-8", said if named[0] not in (None, "utf-8") else None
    for name in named:
        if name and name != "utf-8" and _fits(body, name):
            return name, None if name == named[0] or named[0] is None else said
    return _guessed(body), said if named[0] else None


def decoded(body: bytes, charset: str) -> str:
    try:
        text = body.decode(charset, errors="replace")
    except (LookupError, ValueError):
        text = body.decode("utf-8", errors="replace")
    return text.removeprefix("\ufeff")


def _is_utf_8(body: bytes) -> bool:
    if b"\x1b$" in body or b"\x1b(" in body:  # ISO-2022: only seven bits, and no UTF-8 all the same
        return False
    return _fits(body, "utf-8")


def _is_damaged_utf_8(body: bytes, *, named: bool) -> bool:
    """Whether its letters are UTF-8 but for a few that broke: all others would be lost with these."""
    text = body.decode("utf-8", "replace")
    broken = text.count("\ufffd") - body.count(b"\xef\xbf\xbd")
    whole = len(text) - len(text.encode("ascii", "ignore")) - text.count("\ufffd")
    return whole > 0 and whole >= broken * (1 if named else 2)


def _keeping(body: bytes, said: str | None) -> str:
    """UTF-8, unless the bytes are ASCII that stands for two-byte letters."""
    name = _known(said)
    return name if name in {"utf-16", "utf-16-le", "utf-16-be"} and b"\0" in body[:_LOOKED_AT] else "utf-8"


def _fits(body: bytes, charset: str) -> bool:
    try:
        body.decode(charset)
    except (UnicodeError, LookupError, ValueError):
        return False
    return True


def _inside(body: bytes) -> str | None:
    found = _XML.search(body[:_LOOKED_AT]) or _META.search(body[:_LOOKED_AT])
    return found[1].decode("ascii") if found else None


def _known(name: str | None) -> str | None:
    """As Python calls it; None for what is no charset of texts."""
    if not name or len(name) > 40:
        return None
    try:
        found = codecs.lookup(name.strip("\"' "))
    except (LookupError, ValueError):
        return None
    plain = found.name
    return None if plain in _NOT_TEXT or not found._is_text_encoding else _MEANT.get(plain, plain)


def _guessed(body: bytes) -> str:
    from charset_normalizer import from_bytes

    matches = from_bytes(body[: 1 << 18])
    best = matches.best()
    if best is None:
        return "cp1252"
    alike = [each for each in matches if each.chaos <= best.chaos and each.coherence >= best.coherence - _AS_LIKELY]
    likely = {name for each in alike for name in each.could_be_from_charset}
    name = _known(next((each for each in _USUAL if each in likely), best.encoding))
    return name if name and _fits(body, name) else "cp1252"
