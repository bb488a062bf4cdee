"""One robots.txt: the groups that are ours, the longest rule that matches, Allow where two are as long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

MOST_BYTES = 512_000  # what the RFC wants read at least
_KEPT = "!$&'()*+,;=:@/-._~?"
_DELAY = re.compile(r"\d{1,6}(\.\d{0,6})?")


@dataclass(frozen=True)
class _Rule:
    pieces: tuple[str, ...]  # between the stars
    to_the_end: bool
    length: int
    allows: bool

    def matches(self, path: str) -> bool:
        """Piece by piece from the left: no pattern makes this slow."""
        first, *rest = self.pieces
        if not path.startswith(first):
            return False
        if self.to_the_end and not rest:
            return path == first
        place = len(first)
        *middle, last = rest if self.to_the_end else [*rest, ""]
        for piece in middle:
            place = path.find(piece, place)
            if place < 0:
                return False
            place += len(piece)
        return not self.to_the_end or (len(path) - len(last) >= place and path.endswith(last))


@dataclass(frozen=True)
class Rules:
    """What one site asks of us."""

    rules: tuple[_Rule, ...] = ()
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()
    why_not: str = ""  # nothing is allowed, and this is why

    def allow(self, target: str) -> bool:
        path = _plain(target)
        if path == "/robots.txt":
            return True
        if self.why_not:
            return False
        found = [(rule.length, rule.allows) for rule in self.rules if rule.matches(path)]
        return max(found, default=(0, True))[1]


def read(text: str, product: str) -> Rules:
    """For whoever is called `product`."""
    ours, everybodys, delays = _groups(text, product.lower())
    rules, delay = (ours, delays[0]) if ours is not None else (everybodys or [], delays[1])
    sitemaps = tuple(value for name, value in _lines(text) if name == "sitemap" and value)
    return Rules(tuple(rules), delay, sitemaps)


def _groups(text: str, product: str) -> tuple[list[_Rule] | None, list[_Rule] | None, list[float]]:
    """The rules of the groups that name us, and of those for everybody; each kind as one."""
    found: dict[str, list[_Rule]] = {}
    delays = [0.0, 0.0]
    named: set[str] = set()
    naming = False
    for name, value in _lines(text):
        if name == "user-agent":
            named = named if naming else set()
            naming = True
            agent = _product(value)
            named |= {agent} & {product, "*"}
            for each in named:
                found.setdefault(each, [])
        elif name in ("allow", "disallow", "crawl-delay"):
            naming = False
            for each in named:
                _add(found[each], delays, name, value, each == product)
    return found.get(product), found.get("*"), delays


def _add(rules: list[_Rule], delays: list[float], name: str, value: str, ours: bool) -> None:
    if name == "crawl-delay":
        if _DELAY.fullmatch(value):
            delays[0 if ours else 1] = float(value)
    elif value:
        rules.append(_rule(value, name == "allow"))


def _rule(pattern: str, allows: bool) -> _Rule:
    end = pattern.endswith("$")
    body = pattern[:-1] if end else pattern
    pieces = tuple(_plain(piece) for piece in re.sub(r"\*+", "*", body).split("*"))
    if not body.startswith(("/", "*")):
        pieces = (f"/{pieces[0]}", *pieces[1:])
    return _Rule(pieces, end, len(pattern.encode()), allows)


def _product(value: str) -> str:
    """The name alone: some write a version behind it."""
    return "*" if value.startswith("*") else re.match(r"[a-z_-]*", value.lower())[0]  # type: ignore[index]


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.removeprefix("\ufeff").splitlines():
        name, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield name.strip().lower(), value.strip()


def _plain(path: str) -> str:
    """Escapes written one way, so that rules and paths can be compared; `%2F` stays apart from `/`."""
    parts = re.split(r"(%2[fF])", path)
    return "".join("%2F" if part.lower() == "%2f" else quote(unquote_to_bytes(part), safe=_KEPT) for part in parts)
