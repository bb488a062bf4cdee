"""The door to PDFium: a document, its pages as words at places, its bookmarks and page labels."""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from wekadocs_corpus.documents.decoding import Unreadable
from wekadocs_text import without_invisible

from .layout import Line, Sheet, Word

_PASSWORD = 4  # PDFium's number for a password that is missing
_MOST_BOOKMARKS = 5000
_MOST_LETTERS = 500_000  # of one page
_BOLD = re.compile(r"bold|black|heavy|semibold|demi", re.I)
_PARTS = re.compile(r"[^\s\ufffe]+|\r?\n|\ufffe")
_UNKNOWN = re.compile(r"[\ufffd\ue000-\uf8ff\0-\x08\x0e-\x1f]")
_SPACE = re.compile(r"\s")
_IMAGE, _FORM = 3, 5
_MARK = 3  # letters: the number or sign that a line begins with may be of another size than its words
_LIGATURES = dict(zip(range(0xFB00, 0xFB07), ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True))


def _cleaned(text: str) -> str:
    return without_invisible(text).translate(_LIGATURES)


class Bookmark(NamedTuple):
    level: int  # from 1
    title: str
    page: int  # from 0
    top: float | None  # where on it


class Pdf:
    """One that is open; pages are loaded one by one."""

    def __init__(self, data: bytes) -> None:
        import pypdfium2
        from pypdfium2 import raw

        self._raw: Any = raw
        try:
            self._document: Any = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            if getattr(error, "err_code", None) == _PASSWORD:
                raise Unreadable("it is encrypted and opens with a password only") from None
            raise Unreadable("it is no PDF, or too damaged to be opened") from None
        self._error: type[Exception] = pypdfium2.PdfiumError

    def __len__(self) -> int:
        return len(self._document)

    @property
    def metadata(self) -> dict[str, str]:
        found = {key: self._told(self._document.get_metadata_value, key) for key in ("Title", "Author", "Subject")}
        return {key: value for key, value in found.items() if value}

    def label(self, page: int) -> str:
        """As the document numbers it: "iv", "203"."""
        return self._told(self._document.get_page_label, page)[:40]

    def _told(self, ask: Callable[..., str], *about: object) -> str:
        """In one line; nothing where it is no text."""
        try:
            return " ".join(_cleaned(ask(*about)).split())
        except (ValueError, self._error):
            return ""

    def bookmarks(self) -> Iterator[Bookmark]:
        for number, each in enumerate(self._document.get_toc(max_depth=6)):
            if number >= _MOST_BOOKMARKS:
                return
            target = each.get_dest()
            page = target.get_index() if target is not None else None
            title = self._told(each.get_title)
            if page is None or not 0 <= page < len(self) or not title:
                continue
            yield Bookmark(each.level + 1, title, page, self._top(target))

    def _top(self, target: Any) -> float | None:
        raw = self._raw
        flags = [ctypes.c_int() for _ in range(3)]
        places = [ctypes.c_float() for _ in range(3)]
        asked = (*map(ctypes.byref, flags), *map(ctypes.byref, places))
        found = raw.FPDFDest_GetLocationInPage(target, *asked)
        return float(places[1].value) if found and flags[1].value else None

    def sheet(self, number: int) -> Sheet:
        """A page's words; raises `Unreadable` with what is wrong with this page."""
        try:
            page = self._document[number]
        except self._error:
            raise Unreadable("the page is damaged") from None
        try:
            text = page.get_textpage()
        except self._error:
            page.close()
            raise Unreadable("the page's text is damaged") from None
        try:
            return self._read(page, text)
        finally:
            text.close()
            page.close()

    def _read(self, page: Any, text: Any) -> Sheet:
        width, height = page.get_size()
        letters = text.count_chars()
        if letters > _MOST_LETTERS:
            raise Unreadable(f"the page has {letters:,} letters, the limit is {_MOST_LETTERS:,}")
        glyphs = _Glyphs(self._raw, text, letters)
        found = glyphs.lines()
        if not found:
            _tell_picture(page)
        _tell_unmapped(glyphs.text)
        return _upright(found, width, height)


def _tell_picture(page: Any) -> None:
    """A page without text is a scan if there is a picture on it; nothing at all is nothing to tell."""
    kinds = Counter(each.type for each in page.get_objects(max_depth=3))
    if kinds[_IMAGE]:
        raise Unreadable("it has no text layer: it is a picture (a scan)")
    if sum(kinds.values()) - kinds[_FORM] > 40:
        raise Unreadable("it has no text layer: it is drawn in shapes")


def _tell_unmapped(text: str) -> None:
    """Fonts that do not say which letters they show."""
    letters, unknown = len(text) - len(_SPACE.findall(text)), len(_UNKNOWN.findall(text))
    if letters >= 20 and unknown > 0.4 * letters:
        raise Unreadable("its fonts do not tell which letters they show: it needs OCR")


class _Placed(NamedTuple):
    """A line with the direction it is written in, in degrees."""

    angle: int
    words: list[tuple[str, tuple[float, float], tuple[float, float]]]  # where its first letter begins, its last ends
    size: float
    bold: bool
    broken: bool


class _Glyphs:
    """The letters of one page. Places are asked for word by word: each question to the library has its price."""

    def __init__(self, raw: Any, page: Any, letters: int) -> None:
        self._raw, self._page = raw, page
        buffer = (ctypes.c_ushort * (letters + 1))()
        raw.FPDFText_GetText(page, 0, letters, buffer)
        self.text = bytes(buffer)[:-2].decode("utf-16-le", "replace").rstrip("\0")
        if len(self.text) != letters:  # letters beyond 16 bits, or without a meaning: one by one
            self.text = "".join([self._letter(number) for number in range(letters)])
        self._box = raw.FS_RECTF()
        self._at = ctypes.byref(self._box)
        self._matrix = raw.FS_MATRIX()
        self._fonts: dict[bytes, bool] = {}

    def _letter(self, number: int) -> str:
        code = self._raw.FPDFText_GetUnicode(self._page, number)
        if code == 2:
            return "\ufffe"
        return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else "\ufffd"

    def lines(self) -> list[_Placed]:
        found: list[_Placed] = []
        words: list[tuple[int, int]] = []
        for part in _PARTS.finditer(self.text):
            if part[0] in ("\n", "\r\n", "\ufffe"):
                self._end(found, words, broken=part[0] == "\ufffe")
                words = []
            else:
                words.append(part.span())
        self._end(found, words, broken=False)
        return found

    def _end(self, found: list[_Placed], spans: list[tuple[int, int]], *, broken: bool) -> None:
        if not spans:
            return
        first = spans[0][0]
        angle = round(math.degrees(self._raw.FPDFText_GetCharAngle(self._page, first))) % 360
        words = []
        for start, end in spans:
            word = _cleaned(self.text[start:end])
            if word:
                words.append((word, self._place(start)[:2], self._place(end - 1)[2:]))
        if words:
            telling = spans[1][0] if len(spans) > 1 and spans[0][1] - first <= _MARK else first
            found.append(_Placed(angle, words, self._size(telling), self._bold(telling), broken))

    def _place(self, number: int) -> tuple[float, float, float, float]:
        """Left, bottom, right, top of a letter with all the room its font gives it."""
        self._raw.FPDFText_GetLooseCharBox(self._page, number, self._at)
        box = self._box
        return box.left, box.bottom, box.right, box.top

    def _size(self, number: int) -> float:
        size = self._raw.FPDFText_GetFontSize(self._page, number)
        if self._raw.FPDFText_GetMatrix(self._page, number, ctypes.byref(self._matrix)):
            size *= math.hypot(self._matrix.c, self._matrix.d)
        return round(2 * abs(size)) / 2 or 1.0

    def _bold(self, number: int) -> bool:
        name = (ctypes.c_char * 128)()
        self._raw.FPDFText_GetFontInfo(self._page, number, name, 128, ctypes.byref(ctypes.c_int()))
        if name.value not in self._fonts:
            told = _BOLD.search(name.value.decode("utf-8", "replace")) is not None
            self._fonts[name.value] = told or self._raw.FPDFText_GetFontWeight(self._page, number) >= 600
        return self._fonts[name.value]


def _upright(found: list[_Placed], width: float, height: float) -> Sheet:
    """As it is read: turned by the direction that most of it is written in."""
    angles: Counter[int] = Counter()
    for each in found:
        angles[each.angle] += len(each.words)
    main = angles.most_common(1)[0][0] if angles else 0
    lines, asides = list[Line](), list[Line]()
    for each in found:
        near = min((each.angle - main) % 360, (main - each.angle) % 360) <= 2
        (lines if near else asides).append(_line(each, main))
    return Sheet(lines, *((height, width) if main in (90, 270) else (width, height)), asides)


def _line(each: _Placed, angle: int) -> Line:
    turn = math.radians(angle)
    cos, sin = math.cos(turn), math.sin(turn)

    def turned(place: tuple[float, float]) -> tuple[float, float]:
        x, y = place
        return (x, y) if not angle else (x * cos - y * sin, x * sin + y * cos)

    placed = [(word, turned(begin), turned(end)) for word, begin, end in each.words]
    words = tuple(Word(word, min(a[0], b[0]), max(a[0], b[0])) for word, a, b in placed)
    heights = sorted(begin[1] for _, begin, _ in placed)
    return Line(words, heights[len(heights) // 2], each.size, each.bold, each.broken)
