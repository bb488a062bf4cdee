"""The console's own files. They tell nothing of a server, so that a browser can have them before its user logs in."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from wekadocs_kit import VIEWS
from wekadocs_mcp import HttpReply, HttpRequest, HttpRoute

HOME = "/console/"
_FOLDER = Path(__file__).parent / "static"
_SHARED = ("dom.js", "document_view.js")  # with the view that clients show
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
# Nothing inline, nothing from elsewhere, nothing made into markup: a document's text can only ever be text.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-cache",
}


def routes() -> list[HttpRoute]:
    files = {path.relative_to(_FOLDER).as_posix(): path for path in sorted(_FOLDER.rglob("*")) if path.is_file()}
    files |= {name: VIEWS / name for name in _SHARED}
    paths = {f"{HOME}{name}".removesuffix("index.html"): path for name, path in files.items()}
    found = [HttpRoute("GET", path, partial(_file, file), public=True) for path, file in paths.items()]
    return [HttpRoute("GET", HOME.rstrip("/"), _home, public=True), *found]


async def _file(path: Path, _: HttpRequest) -> HttpReply:
    return HttpReply(path.read_bytes(), headers={"content-type": _KINDS[path.suffix], **_HEADERS})


async def _home(_: HttpRequest) -> HttpReply:
    """Relative, so that it holds behind a proxy that puts a path before it."""
    return HttpReply(b"", 307, {"location": HOME.strip("/") + "/", "content-type": _KINDS[".html"], **_HEADERS})
