"""A name becomes addresses once, each is checked, and the connection goes to those and to no other."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from ..fetched import FetchFailed
from .spellings import as_address

if TYPE_CHECKING:
    from ..urls import WebUrl
    from .policy import Policy
    from .ranges import Address

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
_MOST = 8  # addresses of one name that are tried


async def by_system(host: str, port: int) -> Sequence[str]:
    """As this machine resolves names, in its order."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


async def checked_addresses(url: WebUrl, policy: Policy, resolve: Resolve) -> list[Address]:
    """Where this URL may be asked. One address that is refused refuses them all: such a name is not to be trusted."""
    policy.check_url(url)
    if url.address is not None:
        return [url.address]
    found = [as_address(each) for each in await _resolved(url, resolve)]
    if not found:
        raise _unknown(url)
    for each in found:
        if each is None:  # an address with a zone
            raise FetchFailed(str(url), "URL_REFUSED", "its address is this machine's own business")
        policy.check_address(url, each)
    return [each for each in found if each is not None][:_MOST]


async def _resolved(url: WebUrl, resolve: Resolve) -> Sequence[str]:
    try:
        return await resolve(url.host, url.port)
    except socket.gaierror as error:
        passing = error.errno == socket.EAI_AGAIN
        raise _unknown(url, passing=passing) from None
    except (OSError, UnicodeError):
        raise _unknown(url) from None


def _unknown(url: WebUrl, *, passing: bool = False) -> FetchFailed:
    return FetchFailed(str(url), "HOST_NOT_FOUND", f"no address is known for {url.host}", passing=passing)
