"""What a stranger can do to the HTTP transport, on loopback, bounded in count and time.

python bench/attack/connections.py [KIND]… [--times N]

Each kind runs beside a polite client; printed is what the server answered, whether the polite client was answered each
time, its slowest call, the server's memory and the tracebacks in its log. Exit code 1 if the polite one was left out.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from server_under_attack import TOKEN, Polite, Server, status_on

_INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "attack", "version": "0"},
}


def get(path: str = "/metrics", *lines: str, host: str = "localhost") -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {host}", *lines, "", ""]).encode("latin-1", "replace")


def big_heads(server: Server, times: int) -> Iterator[str]:
    """38 MB of head, in lines of several kinds."""
    for line in itertools.islice(itertools.cycle((b"a: b\r\n", b"x: " + b"y" * 4000 + b"\r\n", b"z" * 65536)), times):
        yield server.status(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + line * (38_000_000 // len(line)))


def half_requests(server: Server, times: int) -> Iterator[str]:
    """Heads and bodies that never end; all at once."""
    post = b"POST /_mcp HTTP/1.1\r\nHost: localhost\r\n" + f"Authorization: Bearer {TOKEN}\r\n".encode()
    halves = (
        b"",
        b"GET",
        post,
        post + b"Content-Length: 9\r\n\r\n{",
        post + b"Transfer-Encoding: chunked\r\n\r\n1\r\n",
    )
    with contextlib.ExitStack() as open_ones:
        connections = [open_ones.enter_context(server.connect()) for _ in range(min(times * 10, 200))]
        for connection, raw in zip(connections, itertools.cycle(halves), strict=False):
            connection.sendall(raw)
        yield from map(status_on, connections)


def many_connections(server: Server, times: int) -> Iterator[str]:
    """Connections that say `GET /` and wait."""
    with contextlib.ExitStack() as open_ones:
        for _ in range(times * 100):
            try:
                open_ones.enter_context(server.connect()).sendall(b"GET /")
                yield "open"
            except OSError:
                yield "closed"


def many_sessions(server: Server, times: int) -> Iterator[str]:
    """Sessions of the older era, never used."""

    def opened(number: int) -> str:
        message = {"jsonrpc": "2.0", "id": number, "method": "initialize", "params": _INITIALIZE}
        with contextlib.suppress(OSError):
            return str(server.post(message, {})[0])
        return "closed"

    with ThreadPoolExecutor(8) as pool:
        yield from pool.map(opened, range(times * 100))


def duplicates(server: Server, times: int) -> Iterator[str]:
    """Two of each header that decides something, alike and not."""
    bearer = f"Authorization: Bearer {TOKEN}"
    pairs = [
        ("Host: localhost", "Host: localhost"),
        ("Origin: http://localhost", "Origin: http://evil.example"),
        (bearer, bearer),
        (bearer, "Authorization: Bearer other"),
        ("Content-Length: 0", "Content-Length: 0"),
        ("Content-Length: 0", "Content-Length: 7"),
        ("Content-Length: 2", "Transfer-Encoding: chunked"),
        ("Mcp-Session-Id: a", "mcp-session-id: b"),
    ]
    for pair in pairs * min(times, 10):
        for lines in (pair, pair[::-1]):
            yield server.status(get("/healthz", *lines))


def trailers(server: Server, times: int) -> Iterator[str]:
    """The token where it must not count."""
    head = "POST /metrics HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    for name in ("Authorization", "authorization", "AUTHORIZATION", "Host", "Origin") * min(times, 10):
        yield server.status(f"{head}{name}: Bearer {TOKEN}\r\n\r\n".encode())


def hosts_and_origins(server: Server, times: int) -> Iterator[str]:
    """Names that only look like ours."""
    ours = ("localhost", "127.0.0.1", "[::1]")
    wraps = ("{}.evil.example", "evil.example/{}", "evil.example#{}", "{}@evil.example", "{}%00.evil.example", "x{}")
    wraps += ("{}\x0b", "{},evil.example", "evil.example:{}", "{}.", "{}:80:80", "{} evil.example", "//{}", "{}\\x")
    forms = [wrap.format(each) for wrap in wraps for each in ours]
    forms += [
        "",
        "*",
        "null",
        "0.0.0.0",
        "evil.example",
        "127.1",
        "2130706433",
        "0x7f000001",
        "[::]",
        "[::ffff:1.2.3.4]",
    ]
    for form in forms:
        yield f"host {server.status(get('/healthz', host=form))}"
        yield f"origin {server.status(get('/healthz', f'Origin: http://{form}'))}"


def tokens(server: Server, times: int) -> Iterator[str]:
    """Everything but the token."""
    given = [TOKEN[:-1], TOKEN + "x", TOKEN.upper(), TOKEN[::-1], "", " ", "null", "*", TOKEN * 20, f'"{TOKEN}"']
    given += [TOKEN[:at] + "\xff" + TOKEN[at + 1 :] for at in range(len(TOKEN))]
    for scheme, token in itertools.product(("Bearer", "Basic", "", "Token"), given):
        yield server.status(get("/metrics", f"Authorization: {scheme} {token}"))


KINDS: dict[str, Callable[[Server, int], Iterator[str]]] = {
    each.__name__: each
    for each in (
        big_heads,
        half_requests,
        many_connections,
        many_sessions,
        duplicates,
        trailers,
        hosts_and_origins,
        tokens,
    )
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--times", type=int, default=20, help="how much of each, at most 100 (20)")
    options = parser.parse_args()
    server = Server()
    try:
        kept = [_run(server, kind, min(options.times, 100)) for kind in options.kinds or KINDS]
    finally:
        server.close()
    sys.exit(0 if all(kept) else 1)


def _run(server: Server, kind: str, times: int) -> bool:
    began = time.monotonic()
    with Polite(server) as polite:
        told = Counter(KINDS[kind](server, times))
    took = time.monotonic() - began
    answers = ", ".join(f"{count} {status}" for status, count in sorted(told.items()))
    print(f"{kind}: {answers} ({took:.1f} s)")
    print(f"  polite: {polite.answered} of {polite.asked} answered, slowest {polite.slowest * 1000:.0f} ms")
    print(f"  server: {server.megabytes} MB, {server.tracebacks} tracebacks", flush=True)
    return polite.answered == polite.asked


if __name__ == "__main__":
    main()
