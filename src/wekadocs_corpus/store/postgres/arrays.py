"""Lists of numbers in the server's own bytes: made by numpy at once, not one number after the other."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import psycopg

_HEAD = struct.Struct(">iiiii")  # dimensions, NULLs, type of an element, how many, number of the first
_TYPES = {4: (23, 1007), 8: (20, 1016)}  # bytes of a number: its type, and that of a list of them


class Int4s(bytes):
    """`integer[]`"""


class Int8s(bytes):
    """`bigint[]`"""


def int4s(numbers: np.ndarray) -> Int4s:
    return Int4s(_packed(numbers, 4))


def int8s(numbers: np.ndarray) -> Int8s:
    return Int8s(_packed(numbers, 8))


def _packed(numbers: np.ndarray, size: int) -> bytes:
    import numpy as np

    rows = np.empty(len(numbers), np.dtype([("size", ">i4"), ("number", f">i{size}")]))
    rows["size"], rows["number"] = size, numbers
    return _HEAD.pack(1, 0, _TYPES[size][0], len(numbers), 1) + rows.tobytes()


def adapt(connection: psycopg.Connection[Any]) -> None:
    """Makes the connection take them as they are."""
    from psycopg.adapt import Dumper
    from psycopg.pq import Format

    class Ready(Dumper):
        format = Format.BINARY

        def dump(self, obj: Any) -> Any:
            return obj

    for kind, size in ((Int4s, 4), (Int8s, 8)):
        dumper = type(f"{kind.__name__}Dumper", (Ready,), {"oid": _TYPES[size][1]})
        connection.adapters.register_dumper(kind, dumper)
