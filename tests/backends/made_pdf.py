"""PDF files made by hand, for tests: text at places, bookmarks, page labels, pictures, passwords."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

Words = tuple[float, float, float, str]  # x, y (from below), size, text
BOLD = "\x01"  # before a text: in bold letters
_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
# Letters that WinAnsiEncoding has not, with the names of their glyphs.
_OTHERS = {"\ufb01": "fi", "\ufb02": "fl", "\u200b": "uni200B", "\u202e": "uni202E", "\U000e0041": "uE0041"}
_CODES = {ord(letter): code for code, letter in enumerate(_OTHERS, 1)}


@dataclass(frozen=True)
class Page:
    words: Sequence[Words] = ()
    picture: bool = False  # one that covers all of it
    raw: bytes = b""  # further content


def lines(*texts: str, x: float = 72, top: float = 720, size: float = 11, leading: float = 14) -> list[Words]:
    """One below the other."""
    return [(x, top - leading * number, size, text) for number, text in enumerate(texts)]


def pdf(
    *pages: Page | Sequence[Words],
    outline: Sequence[tuple[int, str, int]] = (),  # level from 1, title, page from 1
    labels: str = "",  # the array of a number tree
    info: str = "",
    password: str | None = None,
) -> bytes:
    """A whole file; /WinAnsiEncoding, with ligatures and some characters that nobody sees (`_OTHERS`)."""
    made = [page if isinstance(page, Page) else Page(page) for page in pages]
    objects: dict[int, bytes] = {}
    first = 10
    kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(made)))
    objects[2] = f"<< /Type /Pages /Kids [{kids}] /Count {len(made)} >>".encode()
    others = " ".join(f"/{name}" for name in _OTHERS.values())
    encoding = f"/Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 {others}] >>"
    for number, name in ((3, "Times-Roman"), (4, "Times-Bold")):
        objects[number] = f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} {encoding} >>".encode()
    objects[5] = _stream(
        b"\x80" * 64, "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8"
    )
    for n, page in enumerate(made):
        resources = "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> /XObject << /Im 5 0 R >> >>"
        box = "/MediaBox [0 0 612 792]"
        own, content = first + 2 * n, first + 2 * n + 1
        objects[own] = f"<< /Type /Page /Parent 2 0 R {box} {resources} /Contents {content} 0 R >>".encode()
        objects[content] = _stream(_content(page), "/Filter /FlateDecode", zlib.compress)
    catalog = "<< /Type /Catalog /Pages 2 0 R"
    if outline:
        root = first + 2 * len(made)
        objects |= _outline(outline, root, first)
        catalog += f" /Outlines {root} 0 R"
    if labels:
        catalog += f" /PageLabels << /Nums [{labels}] >>"
    objects[1] = f"{catalog} >>".encode()
    objects[6] = f"<< {info} >>".encode()
    return _file(objects, password)


def _content(page: Page) -> bytes:
    out = [b"q 612 0 0 792 0 0 cm /Im Do Q"] if page.picture else []
    for x, y, size, text in page.words:
        bold = text.startswith(BOLD)
        plain = text.removeprefix(BOLD).translate(_CODES)
        shown = plain.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
        out.append(b"BT /F%d %g Tf 1 0 0 1 %g %g Tm (%s) Tj ET" % (1 + bold, size, x, y, shown))
    return b"\n".join([*out, page.raw])


def _outline(items: Sequence[tuple[int, str, int]], root: int, first: int) -> dict[int, bytes]:
    numbers = [root + 1 + n for n in range(len(items))]
    parents: list[int] = []
    open_items: list[tuple[int, int]] = [(0, root)]
    for number, (level, _, _) in zip(numbers, items, strict=True):
        while open_items[-1][0] >= level:
            open_items.pop()
        parents.append(open_items[-1][1])
        open_items.append((level, number))
    made: dict[int, bytes] = {}
    for parent in [root, *numbers]:
        children = [number for number, above in zip(numbers, parents, strict=True) if above == parent]
        ends = f"/First {children[0]} 0 R /Last {children[-1]} 0 R /Count {len(children)}" if children else ""
        if parent == root:
            made[root] = f"<< /Type /Outlines {ends} >>".encode()
            continue
        place = parent - root - 1
        _, title, page = items[place]
        siblings = [number for number, above in zip(numbers, parents, strict=True) if above == parents[place]]
        at = siblings.index(parent)
        following = f"/Next {siblings[at + 1]} 0 R" if at + 1 < len(siblings) else ""
        before = f"/Prev {siblings[at - 1]} 0 R" if at else ""
        target = f"/Dest [{first + 2 * (page - 1)} 0 R /XYZ 0 792 0]"
        name = "<FEFF" + title.encode("utf-16-be").hex() + ">"
        made[parent] = f"<< /Title {name} /Parent {parents[place]} 0 R {target} {ends} {following} {before} >>".encode()
    return made


def _stream(data: bytes, entries: str, packed=lambda data: data) -> bytes:
    data = packed(data)
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries.encode(), len(data), data)


def _file(objects: dict[int, bytes], password: str | None) -> bytes:
    trailer = b"/Root 1 0 R /Info 6 0 R"
    if password is not None:
        mark = bytes(range(16))
        owner = _rc4(hashlib.md5(_padded("owner")).digest()[:5], _padded(password))
        key = hashlib.md5(_padded(password) + owner + (0xFFFFFFFC).to_bytes(4, "little") + mark).digest()[:5]
        objects = {number: _encrypted(key, number, body) for number, body in objects.items()}
        user = _rc4(key, _PADDING)
        objects[7] = b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>" % (
            owner.hex().encode(),
            user.hex().encode(),
        )
        trailer += b" /Encrypt 7 0 R /ID [<%s> <%s>]" % ((mark.hex().encode(),) * 2)
    out, places = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), {}
    for number, body in sorted(objects.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n" % size
    for number in range(size):
        entry = b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 65535 f \n"
        out += entry
    out += b"trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, start)
    return bytes(out)


def _padded(password: str) -> bytes:
    return (password.encode("latin-1") + _PADDING)[:32]


def _encrypted(key: bytes, number: int, body: bytes) -> bytes:
    """Streams only: these files have no secrets in their strings."""
    head, mark, rest = body.partition(b"\nstream\n")
    if not mark:
        return body
    own = hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]
    return head + mark + _rc4(own, rest.removesuffix(b"\nendstream")) + b"\nendstream"


def _rc4(key: bytes, data: bytes) -> bytes:
    box, at = list(range(256)), 0
    for n in range(256):
        at = (at + box[n] + key[n % len(key)]) % 256
        box[n], box[at] = box[at], box[n]
    out, x, y = bytearray(), 0, 0
    for byte in data:
        x = (x + 1) % 256
        y = (y + box[x]) % 256
        box[x], box[y] = box[y], box[x]
        out.append(byte ^ box[(box[x] + box[y]) % 256])
    return bytes(out)
