"""What a page takes in of others beside it, and what tells later that they are as they were."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b

from wekadocs_corpus.ingest.sources.origin import Origin, Version


class Included:
    """The neighbours that were looked for while one page was read, each once."""

    def __init__(self, origin: Origin, most: int) -> None:
        self._origin, self._most = origin, most
        self._versions: dict[str, Version | None] = {}
        self.found: dict[str, bytes | None] = {}

    @property
    def above(self) -> int:
        return self._origin.above

    def neighbour(self, path: str) -> bytes | None:
        if path not in self.found:
            # The version first: what changes in between is read again next time.
            self._versions[path] = self._origin.neighbour_version(path)
            self.found[path] = self._origin.neighbour(path, self._most)
        return self.found[path]

    def noted(self) -> str:
        """As the truth keeps it: path → version, also of those that are not there; they may come."""
        return json.dumps(self._versions, separators=(",", ":")) if self._versions else ""


def whole_hash(data: bytes, neighbours: Mapping[str, bytes | None]) -> str:
    """Of a page and all that it takes in."""
    whole = blake2b(data, digest_size=16)
    for path, content in sorted(neighbours.items()):
        if content is not None:
            whole.update(blake2b(path.encode("utf-8", "surrogatepass")).digest() + blake2b(content).digest())
    return whole.hexdigest()


def noted_paths(noted: str) -> tuple[str, ...]:
    return tuple(json.loads(noted)) if noted else ()


def as_noted(origin: Origin, noted: str, moment: float) -> bool:
    """Whether every neighbour is as it was at that moment (seconds since 1970), by its version alone."""
    if not noted:
        return True
    versions: dict[str, list[int] | None] = json.loads(noted)
    return all(
        _is(None if before is None else Version(*before), origin.neighbour_version(path), moment)
        for path, before in versions.items()
    )


def _is(before: Version | None, now: Version | None, moment: float) -> bool:
    return before == now and (now is None or now.was_settled(moment))
