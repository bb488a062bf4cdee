"""`ingest https://…`: the pages of a site by its sitemap, its llms.txt or its links; all on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wekadocs_mcp.cli.main import cli

PAGE = "<!doctype html><title>{0}</title><body><main><h1>{0}</h1><p>{0} is done with `stor {0}`.</p>{1}</main>"


class Site:
    """Pages by path, and who asked for what."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[str, str]] = {}
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                kind, body = site.pages.get(self.path, ("", ""))
                self.send_response(200 if kind else 404)
                self.send_header("Content-Type", kind or "text/plain")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def page(self, path: str, title: str, *links: str) -> None:
        self.pages[path] = ("text/html", PAGE.format(title, "".join(f'<a href="{each}">x</a>' for each in links)))


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    made.page("/docs/", "Overview", "mount", "quotas.html", "/private/", "https://elsewhere.invalid/", "logo.png")
    made.page("/docs/mount", "Mount", "/docs/", "quotas.html#x", "/docs/secret")
    made.page("/docs/quotas.html", "Quotas")
    made.page("/docs/secret", "Secret")
    made.page("/private/", "Private")
    made.pages["/robots.txt"] = ("text/plain", "User-agent: *\nDisallow: /docs/secret\n")
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


@pytest.fixture
def run(site: Site, tmp_path: Path) -> Any:
    said = {"plugins": {"corpus": {"ingest": {"web": {"allow_hosts": [site.url[7:]], "max_pages": 20}}}}}
    (tmp_path / "tools.yaml").write_text(json.dumps(said))

    def ingest(*words: str) -> tuple[int, dict[str, Any]]:
        given = ["--config", str(tmp_path / "tools.yaml"), "--data", str(tmp_path / "data"), "ingest", "--json", *words]
        done = CliRunner().invoke(cli, given)
        return done.exit_code, json.loads(done.stdout.splitlines()[-1])

    return ingest


def test_links_are_followed_below_the_address_as_robots_allow(site: Site, run: Any, tmp_path: Path) -> None:
    code, done = run(f"{site.url}/docs/")
    assert (code, done["added"]) == (0, 3), done
    assert done["skipped"] == {"pages: robots disallowed": 1}
    assert not {"/docs/secret", "/private/", "/docs/logo.png"} & set(site.asked)
    found = CliRunner().invoke(cli, ["--data", str(tmp_path / "data"), "search", "--json", "quotas"])
    assert json.loads(found.stdout)["results"][0]["url"].startswith(f"{site.url}/docs/quotas.html")

    site.page("/docs/mount", "Mount again")
    del site.pages["/docs/quotas.html"]
    done = run(f"{site.url}/docs/")[1]
    assert (done["changed"], done["unchanged"], done["deleted"]) == (1, 1, 1)
    assert run("--remove", f"{site.url}/docs/")[1]["deleted"] == 2


def test_a_sitemap_or_llms_txt_tells_the_pages(site: Site, run: Any) -> None:
    listed = "".join(f"<url><loc>{site.url}{path}</loc></url>" for path in ("/docs/mount", "/docs/quotas.html", "/x"))
    site.pages["/sitemap.xml"] = ("application/xml", f"<urlset>{listed}</urlset>")
    assert run(f"{site.url}/docs/")[1]["seen"] == 2
    assert run(f"{site.url}/sitemap.xml")[1]["skipped"] == {"pages: http 404": 1}
    site.pages["/llms.txt"] = (
        "text/plain",
        "# Stor\n\n- [Mount](/docs/mount): how\n- [No](https://elsewhere.invalid/)\n",
    )
    assert run(f"{site.url}/llms.txt")[1]["seen"] == 1


def test_what_is_private_is_not_reached_unless_it_is_allowed(site: Site, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["--data", str(tmp_path / "data"), "ingest", f"{site.url}/docs/"])
    assert done.exit_code == 2
    assert "allow_hosts" in done.stderr
    assert site.asked == []
