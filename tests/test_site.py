"""The documentation as a site: built without a network, its links lead somewhere, it can be searched and asked."""

import html
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import browser as browsers
import pytest

ROOT = Path(__file__).parent.parent
WEKADOCS = Path(sys.executable).parent / "wekadocs-mcp"
NOBODY = "http://127.0.0.1:9"  # a proxy that does not answer: whoever asked the network would fail
OWN = {"plugins": {"corpus": {"ingest": {"ignore": ["sample/", "reference/diff-rules/"]}}}}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "-f",
        ROOT / "packages/site/mkdocs.yml",
        "-d",
        folder,
    ]
    alone = {**os.environ, "HTTP_PROXY": NOBODY, "HTTPS_PROXY": NOBODY, "ALL_PROXY": NOBODY, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, env=alone, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def test_every_page_of_the_documentation_is_there_and_in_the_navigation_of_its_section(site):
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    pages = [page for page in pages if page.parts[0] != "sample"]
    assert len(pages) > 50
    first = (site / "index.html").read_text("utf-8")
    for page in pages:
        name = "index.html" if page.name == "README.md" else page.with_suffix(".html").name
        assert (site / page.parent / name).is_file(), page
        if page.parts[0] in ("tutorial", "how-to", "explanation"):
            assert f'href="{page.parent.as_posix()}/{name}"' in first, page


def test_nothing_on_the_site_comes_from_elsewhere(site):
    loads = re.compile(
        r"<(?:script|img|iframe)[^>]*\ssrc=\"?(https?:)?//|<link[^>]*rel=\"?stylesheet[^>]*href=\"?https?://"
    )
    asks_github = re.compile(r"data-md-component=\"?source\b")  # the theme's script does, where it finds this
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert not loads.search(text) and not asks_github.search(text), page


@cache
def anchors(page: Path) -> frozenset[str]:
    return frozenset(map(html.unescape, re.findall(r'\s(?:id|name)="?([^"\s>]+)', page.read_text("utf-8"))))


def test_every_link_leads_to_a_page_and_a_place_on_it(site):
    wrong = []
    for page in site.rglob("*.html"):
        for target in set(re.findall(r'<a[^>]*\shref="([^"]+)"', page.read_text("utf-8"))):
            path, _, anchor = html.unescape(target).partition("#")
            if re.match(r"[a-z]+:", path) or page.name == "404.html":
                continue
            where = (page.parent / unquote(path)).resolve() if path else page
            where = where / "index.html" if where.is_dir() else where
            if not where.is_file() or (anchor and where.suffix == ".html" and unquote(anchor) not in anchors(where)):
                wrong.append(f"{page.relative_to(site)}: {target}")
    assert not wrong


def test_the_site_can_be_searched(site):
    index = json.loads((site / "search/search_index.json").read_text("utf-8"))
    found = {entry["location"].partition("#")[0] for entry in index["docs"] if "--uninstall" in entry["text"]}
    assert "how-to/uninstall.html" in found


@pytest.mark.browser
def test_the_site_follows_the_systems_colours(site):
    if why := browsers.missing("chromium", "chromedriver"):
        pytest.skip(why)
    with browsers.chromium() as browser:
        for dark, scheme in ((False, "default"), (True, "slate"), (False, "default")):
            browser.dark(dark)
            browser.open((site / "index.html").as_uri())
            browser.find(f'body[data-md-color-scheme="{scheme}"]')


def test_the_documentation_answers_questions_about_itself_through_the_product(tmp_path):
    (tmp_path / "tools.yaml").write_text(json.dumps(OWN))
    command = [WEKADOCS, "--config", tmp_path / "tools.yaml", "--data", tmp_path / "data"]
    taken = subprocess.run([*command, "ingest", ROOT / "docs"], capture_output=True, text=True, timeout=300)
    assert taken.returncode == 0, taken.stderr
    asked = [*command, "eval", ROOT / "packages/site/questions.yaml", "--json"]
    told = json.loads(subprocess.run(asked, capture_output=True, text=True, timeout=300).stdout)
    missed = [
        row["id"] for row in told["rows"] if row["answered"] is False or (row["answered"] is None and row["answerable"])
    ]
    assert not missed
