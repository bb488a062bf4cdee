"""Pages on disk: a file a page, its head as one line of JSON and then its bytes, replaced as a whole."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import secrets
import time
from dataclasses import dataclass, replace
from pathlib import Path

import httpx

from ..asking import Answer
from ..urls import WebUrl
from .freshness import fresh_until, may_be_kept

_KEPT = frozenset(
    ["cache-control", "content-language", "content-type", "date", "etag", "expires", "age", "last-modified", "link"]
)
_LARGEST_SHARE = 4  # no page takes more than a quarter of all room
_SWEEP_EVERY = 64  # writes


@dataclass(frozen=True)
class KeptAnswer:
    """An answer that was had before."""

    answer: Answer
    until: float

    @property
    def fresh(self) -> bool:
        return time.time() < self.until

    @property
    def conditions(self) -> dict[str, str]:
        """What makes its server answer 304 if it is still so."""
        headers = self.answer.headers
        asked = {"If-None-Match": headers.get("ETag"), "If-Modified-Since": headers.get("Last-Modified")}
        return {name: value for name, value in asked.items() if value}


class Cache:
    """Several processes may use one folder: files are only ever replaced. A folder of None keeps nothing."""

    def __init__(self, folder: Path | None, most_bytes: int) -> None:
        self._folder = folder
        self._most = most_bytes
        self._writes = 0

    async def get(self, url: WebUrl) -> KeptAnswer | None:
        return await asyncio.to_thread(self._read, url) if self._folder is not None else None

    async def put(self, answer: Answer) -> None:
        """What may not be kept is forgotten."""
        if self._folder is None or answer.status != 200:
            return
        keeps = may_be_kept(answer.headers) and len(answer.body) * _LARGEST_SHARE <= self._most
        await asyncio.to_thread(self._write if keeps else self._forget, answer)

    async def renewed(self, kept: KeptAnswer, confirmed: Answer) -> Answer:
        """Its server says that it is still so; what the server now says of it counts."""
        told = {name: value for name, value in confirmed.headers.items() if name.lower() in _KEPT}
        headers = httpx.Headers({**dict(kept.answer.headers), **told})
        answer = replace(kept.answer, headers=headers, at=confirmed.at, addresses=confirmed.addresses, from_cache=True)
        await self.put(answer)
        return answer

    def _place(self, url: WebUrl) -> Path:
        assert self._folder is not None
        name = hashlib.sha256(str(url).encode()).hexdigest()
        return self._folder / name[:2] / name

    def _read(self, url: WebUrl) -> KeptAnswer | None:
        place = self._place(url)
        try:
            head, _, body = place.read_bytes().partition(b"\n")
            kept = json.loads(head)
            if kept["url"] != str(url) or kept["size"] != len(body):
                return None
            headers = httpx.Headers(kept["headers"])
            answer = Answer(url, 200, headers, body, kept["at"], tuple(kept["addresses"]), from_cache=True)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # none, half of one, or another version's
        with contextlib.suppress(OSError):
            os.utime(place)
        return KeptAnswer(answer, fresh_until(headers, answer.at))

    def _write(self, answer: Answer) -> None:
        """A full disk is no reason to fail a fetch."""
        head = {
            "url": str(answer.url),
            "size": len(answer.body),
            "at": answer.at,
            "addresses": answer.addresses,
            "headers": {name: value for name, value in answer.headers.items() if name.lower() in _KEPT},
        }
        place = self._place(answer.url)
        beside = place.with_name(f"{place.name}.{secrets.token_hex(4)}")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(json.dumps(head).encode() + b"\n" + answer.body)
            beside.replace(place)
        except OSError:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
        self._writes += 1
        if self._writes % _SWEEP_EVERY == 1:
            self._sweep()

    def _forget(self, answer: Answer) -> None:
        with contextlib.suppress(OSError):
            self._place(answer.url).unlink(missing_ok=True)

    def _sweep(self) -> None:
        """What was read longest ago goes first."""
        assert self._folder is not None
        files: list[tuple[float, int, Path]] = []
        for path in self._folder.glob("??/*"):
            with contextlib.suppress(OSError):
                state = path.stat()
                files.append((state.st_mtime, state.st_size, path))
        over = sum(size for _, size, _ in files) - self._most
        for _, size, path in sorted(files):
            if over <= 0:
                break
            with contextlib.suppress(OSError):
                path.unlink()
                over -= size
