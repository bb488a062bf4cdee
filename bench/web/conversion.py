"""Saved pages to Markdown, beside markdownify, html2text and trafilatura: CPU time as ratios, and what is kept.

python bench/web/conversion.py FOLDER [PAGES]

FOLDER holds saved HTML pages, such as those of Debian's packages python3.11-doc and sqlite3-doc (`apt-get download` and
`dpkg -x`). The others are measured where they are installed: pip install markdownify html2text trafilatura
"""

from __future__ import annotations

import importlib
import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from wekadocs_web.pages import read

HERE = "http://docs.example.org/page.html"
Convert = Callable[[str], str]
# What of a page's main content a reader would miss: selector → how a text shows that it kept one.
_KEPT: dict[str, str] = {"headings": "h1, h2, h3", "code": "pre", "rows": "tr", "items": "li"}
_ADDRESS = re.compile(r"\]\([^()\s]*\)")
_WORD = re.compile(r"\w+")
_LEAKED = re.compile(r"function\s*\(|document\.|\{\s*(?:display|margin|color)\s*:")


def ours(html: str) -> str:
    return read(html.encode("utf-8", "replace"), "text/html", "utf-8", HERE).text


def others() -> dict[str, Convert]:
    found: dict[str, Convert] = {}
    for name, function in (("markdownify", "markdownify"), ("html2text", "html2text"), ("trafilatura", "extract")):
        try:
            found[name] = getattr(importlib.import_module(name), function)
        except ImportError:
            print(f"{name} is not installed and is left out", file=sys.stderr)
    if "trafilatura" in found:
        extract = found["trafilatura"]
        found["trafilatura"] = lambda html: extract(html, output_format="markdown", include_tables=True) or ""  # type: ignore[call-arg]
    return found


def in_menu(node: LexborNode) -> bool:
    """Nobody misses the items of menus."""
    above: LexborNode | None = node
    while above is not None and above.tag not in ("nav", "footer", "aside"):
        above = above.parent
    return above is not None


def kept(html: str, text: str) -> dict[str, float]:
    """Of the page's headings, code, rows and items, the share whose words stand in the text in their order."""
    tree = LexborHTMLParser(html)
    main = tree.css_first("[role=main]") or tree.css_first("main") or tree.body
    said = " ".join(_WORD.findall(_ADDRESS.sub("]", text)))
    shares: dict[str, float] = {}
    for name, selector in _KEPT.items():
        nodes = [node for node in (main.css(selector) if main else []) if not in_menu(node)]
        words = [" ".join(_WORD.findall(node.text(separator=" "))[:6]) for node in nodes]
        wanted = [each for each in words if each]
        shares[name] = sum(each in said for each in wanted) / len(wanted) if wanted else 1.0
    return {
        **shares,
        "scripts leaked": float(bool(_LEAKED.search(text)) and not _LEAKED.search(main.text() if main else "")),
    }


def measured(convert: Convert, pages: list[str]) -> dict[str, object]:
    seconds, shares, failed = 0.0, [], 0
    for html in pages:
        began = time.process_time()
        try:
            text = convert(html)
        except Exception:
            failed += 1
            continue
        seconds += time.process_time() - began
        shares.append(kept(html, text))
    mean = {name: round(sum(each[name] for each in shares) / max(1, len(shares)), 3) for name in (shares or [{}])[0]}
    return {"cpu_seconds": round(seconds, 3), "failed": failed, **mean}


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    files = sorted(path for path in Path(sys.argv[1]).rglob("*.html"))[:most]
    pages = [path.read_text("utf-8", "replace") for path in files]
    figures = {name: measured(each, pages) for name, each in {"ours": ours, **others()}.items()}
    base = float(str(figures["ours"]["cpu_seconds"])) or 1.0
    for each in figures.values():
        each["times ours"] = round(float(str(each["cpu_seconds"])) / base, 2)
    size = sum(map(len, pages))
    print(json.dumps({"pages": len(pages), "megabytes": round(size / 1e6, 1), "figures": figures}, indent=1))


if __name__ == "__main__":
    main()
