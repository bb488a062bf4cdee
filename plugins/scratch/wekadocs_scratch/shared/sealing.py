"""What the servers that share a store know and nobody else: names that cannot be made up, contents that are our own."""

from __future__ import annotations

import json
import secrets
from hashlib import blake2b
from hmac import compare_digest

from wekadocs_kit import Owner

_MAC_BYTES = 16


class Seal:
    """Of one deployment. `marker` is what the store holds of it, so that servers can agree on one."""

    def __init__(self, secret: bytes, marker: bytes) -> None:
        self._key = blake2b(secret, digest_size=32).digest()
        self.marker = marker

    @classmethod
    def of_setting(cls, secret: str) -> Seal:
        given = secret.encode()
        return cls(given, b"set:" + blake2b(given, digest_size=16, person=b"wekadocs-marker").hexdigest().encode())

    @classmethod
    def kept_in_store(cls, marker: bytes = b"") -> Seal:
        """The one that is there, or a new one."""
        held = marker or b"own:" + secrets.token_hex(32).encode()
        return cls(held, held)

    @property
    def is_set(self) -> bool:
        return self.marker.startswith(b"set:")

    def digest(self, said: bytes, size: int = 16) -> bytes:
        return blake2b(said, digest_size=size, key=self._key).digest()

    def name(self, *said: str | None) -> str:
        return self.digest(json.dumps(said).encode()).hex()

    def owner(self, owner: Owner) -> str:
        """The store need not know who somebody is, nor a session's id, which is as good as a key."""
        return self.name("owner", owner.principal, owner.session, owner.project_id)

    def sealed(self, place: tuple[str, ...], body: bytes) -> bytes:
        return self._mac(place, body) + body

    def opened(self, place: tuple[str, ...], raw: object) -> bytes | None:
        """What was sealed for this place; None for anything else that was put there."""
        if not isinstance(raw, bytes) or len(raw) < _MAC_BYTES:
            return None
        mac, body = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
        return body if compare_digest(mac, self._mac(place, body)) else None

    def _mac(self, place: tuple[str, ...], body: bytes) -> bytes:
        return self.digest(json.dumps(["seal", *place]).encode() + b"\0" + body, _MAC_BYTES)
