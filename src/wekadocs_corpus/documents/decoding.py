"""Bytes to text. What comes out holds no NUL, no lone surrogate and no byte order mark; line ends stay as they are."""

from __future__ import annotations

import codecs
import re
import unicodedata

_MARKS = (  # the longer ones first: UTF-32's begins like UTF-16's
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(
    rb"""<(?:meta|\?xml)\b[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})""", re.I
)
# Codecs that turn text into text or can be made to grow without bound are no character encodings.
_BINARY_CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\r\f\x0b\x1b\x08"))


# What begins so is no text, whatever its ending says.
_SIGNATURES = (
    (b"\x89PNG\r\n", "PNG"),
    (b"%PDF-", "PDF"),
    (b"GIF8", "GIF"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"RIFF", "RIFF"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x7fELF", "ELF"),
    (b"\xd0\xcf\x11\xe0", "Microsoft Office"),
    (b"SQLite format 3\0", "SQLite"),
    (b"\0asm", "WebAssembly"),
    (b"OggS", "Ogg"),
    (b"ID3", "MP3"),
)
_NO_LETTER = frozenset({"Cn", "Co", "Cs"})
_HEAD = 8192  # bytes, or characters, that tell whether a file is text


class Unreadable(ValueError):
    """A file that holds no text; the reason is for the user, and quotes nothing of the file."""


def decode(data: bytes, *, html: bool = False) -> str:
    """The text of a file, whatever its encoding; bytes that fit none become U+FFFD."""
    _refuse_known(data)
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _clean(_readable(data[len(mark) :].decode(encoding, "replace")))
    wide = _wide(data)
    if wide:
        return _clean(data.decode(wide, "replace"))
    _refuse_binary(data, 0.1)
    try:
        return _clean(data.decode("utf-8"))
    except UnicodeDecodeError:
        _refuse_binary(data, 0.02)  # texts of older encodings have none of these
        return _clean(data.decode(_declared(data) if html else _guess(data), "replace"))


def _clean(text: str) -> str:
    return text.replace("\0", "�") if "\0" in text else text  # as CommonMark says; the length stays


def _wide(data: bytes) -> str:
    """UTF-16 without a mark: every other byte of mostly Latin text is NUL."""
    head = data[:4096]
    if len(head) < 4 or b"\0" not in head:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > 0.7 * half and even < 0.05 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.7 * half and odd < 0.05 * half else ""


def _refuse_known(data: bytes) -> None:
    kind = next((kind for signature, kind in _SIGNATURES if data.startswith(signature)), "")
    if kind == "PDF" or (kind and not data[:_HEAD].isascii()):
        raise Unreadable(f"it is binary ({kind}), not text")


def _refuse_binary(data: bytes, most: float) -> None:
    """By the share of control characters: a tenth of random bytes."""
    head = data[:_HEAD]
    controls = len(head) - len(head.translate(None, _BINARY_CONTROLS))
    if len(head) >= 32 and controls > len(head) * most:
        raise Unreadable("it is binary, not text")


def _readable(text: str) -> str:
    """What a byte order mark announced, unless much of it is no letter at all."""
    head = text[:_HEAD]
    if sum(letter == "�" or unicodedata.category(letter) in _NO_LETTER for letter in head) > max(8, len(head) // 10):
        raise Unreadable("it is binary, not text")
    return text


def _declared(data: bytes) -> str:
    """What an HTML file says of itself, if Python knows it as an encoding of characters."""
    found = _DECLARED.search(data, 0, 4096)
    try:
        info = codecs.lookup(found[1].decode("ascii")) if found else None
    except LookupError:
        info = None
    if info is None or not getattr(info, "_is_text_encoding", False) or info.name.startswith(("utf", "idna", "puny")):
        return _guess(data)
    return info.name


def _guess(data: bytes) -> str:
    """A few broken bytes in UTF-8 stay UTF-8; where hardly any non-ASCII byte fits it is Windows Latin."""
    text = data.decode("utf-8", "replace")
    broken, fine = text.count("�"), sum(1 for character in text if character > "\x7f" and character != "�")
    return "utf-8" if fine >= broken or b"\x81" in data else "cp1252"
