"""A web site on loopback that does what sites do to those who read them: redirects, rules, lies, floods and traps.

`with WebSite() as site:` serves from a thread; `site.asked` has every request (method, path, headers). Run alone it
serves until it is ended: `python tests/backends/web_site.py 8080`.
"""

from __future__ import annotations

import gzip
import html
import sys
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, urlsplit

PAGES = 200
BOMB = 64 << 20  # bytes that a few kilobytes unpack to
HUGE = 64 << 20


@dataclass
class Reply:
    body: bytes | str = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def data(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else self.body


def page(title: str, body: str, head: str = "") -> Reply:
    text = (
        f"<!doctype html><html><head><meta charset=utf-8><title>{title}</title>{head}</head><body>{body}</body></html>"
    )
    return Reply(text, headers={"Content-Type": "text/html; charset=utf-8"})


def redirect(place: str, status: int = 302) -> Reply:
    return Reply(status=status, headers={"Location": place})


def pdf(*lines: str) -> bytes:
    """A whole one, of one page."""
    shown = "".join(f"({line}) Tj 0 -20 Td " for line in lines)
    stream = f"BT /F1 14 Tf 72 720 Td {shown}ET"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = "%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj{each}endobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    start = len(out)
    out += f"xref\n0 6\n0000000000 65535 f \n{table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    return out.encode()


def _leaf(number: int) -> Reply:
    """One of 200 pages, each with a fact of its own and links to others, a few to itself and out."""
    links = "".join(
        f'<li><a href="/docs/page-{each}.html">How setting {each} works</a></li>'
        for each in ((number * 2) % PAGES, (number * 2 + 1) % PAGES, (number + 1) % PAGES)
    )
    fact = (
        f"The limit of setting {number} is {number * 7 + 3} megabytes, and it is raised with option --raise-{number}."
    )
    body = f"<h1>Setting {number}</h1><p>{fact}</p><h2>See also</h2><ul>{links}</ul><p><a href='#top'>top</a></p>"
    return page(f"Setting {number}", body)


def _sitemap(base: str) -> Reply:
    places = "".join(f"<url><loc>{base}/docs/page-{number}.html</loc></url>" for number in range(PAGES))
    text = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'
    return Reply(text, headers={"Content-Type": "application/xml"})


class WebSite:
    """`replies[path]` overrides what a path answers: a Reply, or a function of (site, query, headers)."""

    def __init__(self, port: int = 0) -> None:
        site = self
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.replies: dict[str, Reply | Callable[..., Reply]] = {}
        self.robots: Reply = Reply("User-agent: *\nDisallow: /private/\nAllow: /private/open.html\n")
        self.release = threading.Event()  # ends everything that is slow
        self.most_at_once = 0
        self._now = 0
        self._counting = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                with site._counting:
                    site._now += 1
                    site.most_at_once = max(site.most_at_once, site._now)
                try:
                    site._answer(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True
                finally:
                    with site._counting:
                        site._now -= 1

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_: object) -> None:
                """A client that left."""

        self._server = Server(("127.0.0.1", port), Handler)
        self.port = self._server.server_address[1]
        self.place = f"127.0.0.1:{self.port}"
        self.base = f"http://{self.place}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def answering(self) -> int:
        """Requests that it has not done with: it writes on to `/slow` until nobody listens."""
        return self._now

    def url(self, path: str) -> str:
        return self.base + path

    def paths(self, *but: str) -> list[str]:
        """What was asked for, robots.txt aside."""
        return [path for _, path, _ in self.asked if path not in ("/robots.txt", *but)]

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(request.path)
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.asked.append((request.command, request.path, headers))
        special = _STREAMS.get(parts.path)
        if special is not None and parts.path not in self.replies:
            special(self, request)
            return
        reply = self.reply(parts.path, parse_qs(parts.query), headers)
        data = b"" if reply.status in (204, 304) else reply.data
        request.send_response(reply.status)
        for name, value in {"Content-Length": str(len(data)), **reply.headers}.items():
            request.send_header(name, value.encode().decode("latin-1"))  # as browsers write other scripts
        request.end_headers()
        request.wfile.write(data)

    def reply(self, path: str, query: dict[str, list[str]], headers: dict[str, str]) -> Reply:
        given = self.replies.get(path)
        if given is not None:
            return given(self, query, headers) if callable(given) else given
        if path == "/robots.txt":
            return self.robots
        if path == "/sitemap.xml":
            return _sitemap(self.base)
        if path.startswith("/docs/page-") and path.endswith(".html"):
            return _leaf(int(path[11:-5]))
        if path.startswith("/chain/"):
            left = int(path[7:])
            return redirect(f"/chain/{left - 1}") if left else page("The end", "<h1>The end</h1><p>Of the chain.</p>")
        if path == "/to":
            return redirect(query["url"][0], int(query.get("status", ["302"])[0]))
        if path == "/trap":
            depth = int(query.get("n", ["0"])[0])
            return page(f"Day {depth}", f"<h1>Day {depth}</h1><a href='/trap?n={depth + 1}'>the day after</a>")
        made = _PLAIN.get(path)
        return made(headers) if made else Reply("<h1>Not here</h1>", 404, {"Content-Type": "text/html"})


def _validated(headers: dict[str, str]) -> Reply:
    if headers.get("if-none-match") == '"v1"':
        return Reply(status=304, headers={"ETag": '"v1"'})
    reply = page("With a tag", "<h1>With a tag</h1><p>It has not changed.</p>")
    return Reply(reply.body, headers={**reply.headers, "ETag": '"v1"'})


def _dated(headers: dict[str, str]) -> Reply:
    date = "Wed, 01 Jul 2026 10:00:00 GMT"
    if headers.get("if-modified-since") == date:
        return Reply(status=304)
    reply = page("With a date", "<h1>With a date</h1><p>It has not changed.</p>")
    return Reply(reply.body, headers={**reply.headers, "Last-Modified": date})


def _gzipped(data: bytes, kind: str = "text/html; charset=utf-8") -> Reply:
    return Reply(data, headers={"Content-Type": kind, "Content-Encoding": "gzip"})


def _bomb() -> bytes:
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    part = b"<p>" + b" " * (1 << 20)
    return b"".join(pack.compress(part) for _ in range(BOMB >> 20)) + pack.flush()


_BOMB = _bomb()
_HOME = (
    "<h1>Setting up</h1><p>This site tells how to set things up.</p><ul>"
    + "".join(f'<li><a href="/docs/page-{n}.html">Setting {n}</a></li>' for n in range(10))
    + '<li><a href="/private/secret.html">A secret</a></li><li><a href="/loop/a">A loop</a></li>'
    + '<li><a href="http://169.254.169.254/latest/meta-data/">Metadata</a></li>'
    + '<li><a href="/paper.pdf">The paper</a></li></ul>'
)
_UMLAUTS = "Größenänderung für Käse: 5 €"
_RUSSIAN = "Широкая электрификация южных губерний даст мощный толчок подъёму сельского хозяйства. " * 5
_JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。" * 5


def _text(text: str, charset: str, said: str | None) -> Callable[[dict[str, str]], Reply]:
    kind = "text/html" + (f"; charset={said}" if said else "")
    body = f"<!doctype html><title>Letters</title><h1>Letters</h1><p>{text}</p>".encode(charset)
    return lambda _: Reply(body, headers={"Content-Type": kind})


_PLAIN: dict[str, Callable[[dict[str, str]], Reply]] = {
    "/": lambda _: page("Setting up", _HOME),
    "/plain.txt": lambda _: Reply("Plain words.\n", headers={"Content-Type": "text/plain"}),
    "/notes.md": lambda _: Reply("# Notes\n\nIn Markdown.\n", headers={"Content-Type": "text/markdown"}),
    "/paper.pdf": lambda _: Reply(
        pdf("The paper", "It says that 42 is enough."), headers={"Content-Type": "application/pdf"}
    ),
    "/feed.xml": lambda _: Reply(
        '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>One</title>'
        "<description>First news.</description></item></channel></rss>",
        headers={"Content-Type": "application/rss+xml"},
    ),
    "/private/secret.html": lambda _: page("Secret", "<h1>Secret</h1><p>Not for robots.</p>"),
    "/private/open.html": lambda _: page("Open", "<h1>Open</h1><p>For robots too.</p>"),
    "/loop/a": lambda _: redirect("/loop/b"),
    "/loop/b": lambda _: redirect("/loop/a"),
    "/nowhere": lambda _: Reply(status=302),
    "/etag": _validated,
    "/dated": _dated,
    "/max-age": lambda _: Reply(
        page("Fresh", "<h1>Fresh</h1>").body, headers={"Content-Type": "text/html", "Cache-Control": "max-age=600"}
    ),
    "/no-store": lambda _: Reply(
        page("Secret", "<h1>No store</h1>").body,
        headers={"Content-Type": "text/html", "Cache-Control": "no-store, max-age=600", "ETag": '"x"'},
    ),
    "/gzip": lambda _: _gzipped(gzip.compress(page("Packed", "<h1>Packed</h1>").data)),
    "/gzip-members": lambda _: _gzipped(gzip.compress(b"<h1>one</h1>") + gzip.compress(b"<h1>two</h1>")),
    "/gzip-broken": lambda _: _gzipped(b"\x1f\x8b\x08\x00nonsense"),
    "/gzip-short": lambda _: _gzipped(gzip.compress(page("Packed", "<h1>Packed</h1>" * 90).data)[:-12]),
    "/deflate": lambda _: Reply(
        zlib.compress(b"<h1>deflated</h1>"), headers={"Content-Type": "text/html", "Content-Encoding": "deflate"}
    ),
    "/deflate-raw": lambda _: Reply(
        zlib.compress(b"<h1>deflated</h1>")[2:-4],
        headers={"Content-Type": "text/html", "Content-Encoding": "deflate"},
    ),
    "/compress": lambda _: Reply(b"\x1f\x9d", headers={"Content-Type": "text/html", "Content-Encoding": "compress"}),
    "/bomb": lambda _: _gzipped(_BOMB),
    "/bomb-in-bomb": lambda _: Reply(
        gzip.compress(_BOMB), headers={"Content-Type": "text/html", "Content-Encoding": "gzip, gzip"}
    ),
    "/image.png": lambda _: Reply(b"\x89PNG\r\n", headers={"Content-Type": "image/png"}),
    "/program.bin": lambda _: Reply(b"\x7fELF\0\0", headers={"Content-Type": "application/octet-stream"}),
    "/untyped.html": lambda _: Reply(page("Untyped", "<h1>Untyped</h1>").body),
    "/untyped.pdf": lambda _: Reply(pdf("Untyped"), headers={"Content-Type": "application/octet-stream"}),
    "/latin": _text(_UMLAUTS, "cp1252", "iso-8859-1"),
    "/says-latin-is-utf-8": _text(_UMLAUTS, "utf-8", "iso-8859-1"),
    "/says-utf-8-is-latin": _text(_UMLAUTS, "cp1252", "utf-8"),
    "/meta-charset": lambda _: Reply(
        f"<html><head><meta charset='shift_jis'></head><p>{_JAPANESE}</p></html>".encode("cp932"),
        headers={"Content-Type": "text/html"},
    ),
    "/untold-russian": _text(_RUSSIAN, "cp1251", None),
    "/utf-16": lambda _: Reply(("\ufeff" + _UMLAUTS).encode("utf-16-le"), headers={"Content-Type": "text/plain"}),
    "/canonical": lambda _: page("Canonical", "<h1>Canonical</h1>", '<link rel="canonical" href="/canonical?really">'),
    "/linked-canonical": lambda _: Reply(
        page("Canonical", "<h1>Canonical</h1>").body,
        headers={"Content-Type": "text/html", "Link": '</the/real/one>; rel="canonical"'},
    ),
    "/teapot": lambda _: Reply("short", 418, {"Content-Type": "text/html"}),
    "/script-only": lambda _: page(
        "App",
        '<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>'
        '<script src="/app.js"></script>',
    ),
    "/llms.txt": lambda _: Reply(
        "# Settings\n\n> How to set things up.\n\n## Docs\n\n"
        + "".join(f"- [Setting {n}](/docs/page-{n}.html): how it works\n" for n in range(5))
        + "\n## Optional\n\n- [Setting 9](/docs/page-9.html)\n",
        headers={"Content-Type": "text/plain; charset=utf-8"},
    ),
}


def _slow(site: WebSite, request: BaseHTTPRequestHandler) -> None:
    """A byte now and then: no single wait is long."""
    request.send_response(200)
    request.send_header("Content-Type", "text/html")
    request.end_headers()
    request.close_connection = True
    while not site.release.wait(0.05):
        request.wfile.write(b" ")
        request.wfile.flush()


def _silent(site: WebSite, request: BaseHTTPRequestHandler) -> None:
    site.release.wait(60)
    request.close_connection = True


def _huge(site: WebSite, request: BaseHTTPRequestHandler) -> None:
    """Without saying how much."""
    request.send_response(200)
    request.send_header("Content-Type", "text/html")
    request.end_headers()
    request.close_connection = True
    for _ in range(HUGE >> 16):
        if site.release.is_set():
            return
        request.wfile.write(b"x" * (1 << 16))


def _half(site: WebSite, request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Type", "text/html")
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(b"<h1>half")
    request.close_connection = True


_STREAMS: dict[str, Callable[[WebSite, BaseHTTPRequestHandler], None]] = {
    "/slow": _slow,
    "/silent": _silent,
    "/huge": _huge,
    "/half": _half,
}


if __name__ == "__main__":
    with WebSite(int(sys.argv[1]) if len(sys.argv) > 1 else 0) as running:
        print(html.escape(running.base), flush=True)
        while True:
            time.sleep(3600)
