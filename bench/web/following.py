"""Is the page that answers reached from the index, and nothing more fetched where the page itself is asked?

python bench/web/following.py TREES [--only NAME …] [--most N] [--each] [--own-page SHARE]

TREES as for bench/answers/run.py; of its questions those that are answered. Markdown pages of a tree are served on
loopback as HTML with a menu of all their titles; each tree is asked twice: at its index page, at the page that answers.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "backends"), str(ROOT / "bench" / "answers")]

from judging import Question, Tree, trees  # noqa: E402
from markdown_it import MarkdownIt  # noqa: E402
from web_site import WebSite, page  # noqa: E402

from wekadocs_mcp.app import App  # noqa: E402
from wekadocs_mcp.calls.call import Caller  # noqa: E402
from wekadocs_mcp.config import deployment  # noqa: E402

_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.S)
_TITLE = re.compile(r"^title:\s*[\"']?(.+?)[\"']?\s*$", re.M)
_HEADING = re.compile(r"^#\s+(.+?)\s*(?:\{.*)?$", re.M)
_LINK = re.compile(r'href="([^":#?]+)\.mdx?(?=[#"])')
_INDEXES = ("index.md", "src/index.md", "README.md", "_index.md")


class Pages:
    """A tree as a site."""

    def __init__(self, root: Path) -> None:
        files = sorted(path for path in root.rglob("*.md*") if path.name != "SUMMARY.md")
        self.texts = {path.relative_to(root).as_posix(): path.read_text("utf-8", "replace") for path in files}
        self.index = next((name for name in _INDEXES if name in self.texts), next(iter(self.texts), ""))
        self.titles = {name: self._title(name) for name in self.texts}

    def _title(self, name: str) -> str:
        front = _FRONT.match(self.texts[name])
        found = (_TITLE.search(front[1]) if front else None) or _HEADING.search(self.texts[name])
        return re.sub(r"[`*]", "", found[1]) if found else Path(name).stem.replace("-", " ").title()

    def served(self) -> Iterator[tuple[str, bytes | Any]]:
        menu = "".join(f'<li><a href="{address(name)}">{escape(title)}</a></li>' for name, title in self.titles.items())
        write = MarkdownIt("commonmark").enable("table")
        for name, text in self.texts.items():
            body = _LINK.sub(r'href="\1.html', write.render(_FRONT.sub("", text)))
            yield address(name), page(self.titles[name], f"<nav><ul>{menu}</ul></nav><main>{body}</main>")


def address(name: str) -> str:
    return "/" + re.sub(r"\.mdx?$", ".html", name)


def visited(nodes: list[dict[str, Any]]) -> set[str]:
    return {each["url"] for each in nodes}.union(*(visited(each["children"]) for each in nodes))


async def ask(app: App, url: str, question: Question) -> dict[str, Any]:
    outcome = await app.dispatcher.call("web.answer", {"url": url, "query": question.text}, Caller())
    assert outcome.error is None, outcome.error
    return outcome.data or {}


async def asked(tree: Tree, root: Path, most: int, each: bool, expansion: dict[str, float]) -> Counter[str]:
    pages = Pages(root / tree.root if tree.root != "." else root)
    found: Counter[str] = Counter()
    questions = [it for it in tree.questions if it.answered and it.page in pages.texts][:most]
    for at_index in (True, False):
        with WebSite() as site, tempfile.TemporaryDirectory() as folder:
            site.replies |= dict(pages.served())
            said = {"plugins": {"corpus": {}, "web": {"allow_hosts": [site.place], "expansion": expansion}}}
            app = App.build(deployment.from_dict(said, Path(folder)))
            try:
                for question in questions:
                    goal = site.url(address(question.page))
                    start = site.url(address(pages.index)) if at_index else goal
                    data = await ask(app, start, question)
                    held = question.held_by("\n".join(it["text"] for it in data["evidence"]))
                    steps, read = data["stats"]["expansion_iterations"], visited(data["trace"]) | {start}
                    way = "index" if at_index else "page"
                    found += Counter({f"{way}: asked": 1, f"{way}: facts": held, f"{way}: reached": goal in read})
                    found += Counter({f"{way}: nothing more": not steps, f"{way}: pages": len(read)})
                    if each:
                        best = data["evidence"][0]["relevance"] if data["evidence"] else 0.0
                        reason = data["stats"]["stop_reason"]
                        flags = f"{'R' if goal in read else '-'}{'F' if held else '-'} {steps} {len(read):2} {best:.2f}"
                        print(f"{way:5} {flags} {question.name}: {question.text[:70]} | {reason}", flush=True)
            finally:
                await app.close()
    return found


def main() -> None:
    wanted = argparse.ArgumentParser()
    wanted.add_argument("trees", type=Path)
    wanted.add_argument("--only", nargs="*")
    wanted.add_argument("--most", type=int, default=1000)
    wanted.add_argument("--each", action="store_true")
    wanted.add_argument("--own-page", type=float, help="expansion.own_page; 1 never stops for it")
    given = wanted.parse_args()
    expansion = {} if given.own_page is None else {"own_page": given.own_page}
    total: Counter[str] = Counter()
    for folder in ("questions", "held", "further"):
        for tree in trees(ROOT / "bench" / "answers" / folder):
            if (given.trees / tree.name).is_dir() and (not given.only or tree.name in given.only):
                total += asyncio.run(asked(tree, given.trees / tree.name, given.most, given.each, expansion))
    for name in sorted(total):
        print(f"{name:22} {total[name]}")


if __name__ == "__main__":
    main()
