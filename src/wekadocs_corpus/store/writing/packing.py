"""What the truth keeps small: texts, term vectors and spans, packed and unpacked without loss."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

Spans = Sequence[tuple[int, int]]
_MOST = 0xFFFF  # terms of one weight that a group counts


def pack_hash(name: str) -> bytes:
    """Of a text that is embedded, ten bytes: two texts that share them are not to be met with."""
    return bytes.fromhex(name[:20])


def pack_text(text: str) -> bytes:
    return zlib.compress(text.encode(), 6)


def unpack_text(packed: bytes) -> str:
    return zlib.decompress(packed).decode()


def pack_terms(vector: bytes) -> bytes:
    """Of a vector as `document_vectors` makes them: how many groups, weight and count of each, then their ids.

    A chunk has few different weights: terms that stand in it equally often share one.
    """
    count = len(vector) // 8
    numbers = struct.unpack(f"<{2 * count}I", vector)
    groups: dict[int, list[int]] = {}
    for term, weight in zip(numbers[:count], numbers[count:], strict=True):
        groups.setdefault(weight, []).append(term)
    parts = [(weight, ids[at : at + _MOST]) for weight, ids in groups.items() for at in range(0, len(ids), _MOST)]
    heads = b"".join(struct.pack("<IH", weight, len(ids)) for weight, ids in parts)
    terms = [term for _, ids in parts for term in ids]
    return struct.pack("<H", len(parts)) + heads + struct.pack(f"<{count}I", *terms) if count else b""


def ids_at(packed: bytes) -> int:
    """Where the term ids begin; they reach to the end."""
    return 2 + 6 * int.from_bytes(packed[:2], "little")


def term_ids(packed: bytes) -> tuple[int, ...]:
    at = ids_at(packed)
    return struct.unpack_from(f"<{(len(packed) - at) // 4}I", packed, at) if packed else ()


def unpack_many(vectors: Sequence[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of packed vectors: all term ids, their weights, and how many of them each vector has."""
    import numpy as np

    places = [ids_at(vector) if vector else 0 for vector in vectors]
    heads = np.frombuffer(b"".join([vector[2:at] for vector, at in zip(vectors, places, strict=True)]), _head())
    ids = np.frombuffer(b"".join([vector[at:] for vector, at in zip(vectors, places, strict=True)]), "<u4")
    counts = np.array([(len(vector) - at) // 4 for vector, at in zip(vectors, places, strict=True)], np.intp)
    return ids, np.repeat(heads["weight"], heads["count"]), counts


def unpack_terms(packed: bytes) -> bytes:
    """The vector as it was: ids in order, then weights."""
    import numpy as np

    ids, weights, _ = unpack_many([packed])
    order = np.argsort(ids)
    return ids[order].tobytes() + weights[order].tobytes()


@cache
def _head() -> np.dtype:
    import numpy as np

    return np.dtype([("weight", "<f4"), ("count", "<u2")])


def pack_spans(spans: Spans) -> bytes:
    packed = bytearray()
    for start, end in spans:
        put_number(packed, start)
        put_number(packed, end - start)
    return bytes(packed)


def unpack_spans(packed: bytes) -> tuple[tuple[int, int], ...]:
    numbers = take_numbers(packed)
    return tuple((start, start + length) for start, length in zip(numbers, numbers, strict=True))


def put_number(packed: bytearray, number: int) -> None:
    """Seven bits a byte, the lowest first; the last byte is below 128."""
    while number > 127:
        packed.append(number & 127 | 128)
        number >>= 7
    packed.append(number)


def take_numbers(packed: Iterable[int]) -> Iterator[int]:
    number = shift = 0
    for byte in packed:
        number |= (byte & 127) << shift
        if byte > 127:
            shift += 7
        else:
            yield number
            number = shift = 0
