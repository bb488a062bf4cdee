"""What an edge is made of, as numbers: its ends, its type, and the order of ids."""

from __future__ import annotations

from zlib import crc32

DOCUMENT, SECTION, ENTITY = range(3)  # the lowest two bits of a node; above them the number of its row
# An edge's type is its place here. In the order of their names, so that either sorts alike.
TYPES = ("CONTAINS_STEP", "DEFINES", "HAS_PARAMETER", "MENTIONS", "REFERENCES")
TYPE = {name: number for number, name in enumerate(TYPES)}


def node(kind: int, number: int) -> int:
    return number << 2 | kind


def path_key(path: str) -> int:
    """What a path is found by, in four bytes; whoever finds it compares the path."""
    return crc32(path.encode("utf-8", "surrogatepass")) >> 1


def rank(name: str) -> int:
    """Orders as ids do: 47 bits, which SQLite keeps in six bytes. Of two ids that share them either may come first."""
    return int(name[:12], 16) >> 1
