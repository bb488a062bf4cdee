"""What rows are found by: our own ids are digests in hex, chunks may be called anything."""

from __future__ import annotations

import re
from hashlib import blake2b

LONGEST = 512  # bytes of an id
_OURS = re.compile(r"[0-9a-f]{32}")


def is_ours(name: str) -> bool:
    return _OURS.fullmatch(name) is not None


def id_key(name: str) -> bytes:
    """The digest itself; of any other id one byte more, so that nobody can choose an id that is taken for another."""
    if is_ours(name):
        return bytes.fromhex(name)
    return b"\0" + digest_of(name)


def digest_of(name: str) -> bytes:
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def checked(name: str) -> str:
    """An id for a chunk; raises ValueError for what is none."""
    size = len(name.encode())
    if not 1 <= size <= LONGEST:
        raise ValueError(f"a chunk's id has 1 to {LONGEST} bytes, this one has {size:,}")
    return name
