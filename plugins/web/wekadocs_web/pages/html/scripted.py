"""Pages that show nothing until a browser has run their scripts: they are recognised, so that they can be told of."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

_FEW = 250  # letters
_ROOTS = "#root, #app, #__next, #__nuxt, #q-app, #svelte, app-root, [data-reactroot], [ng-app], [ng-version]"
_SAYS_SO = re.compile(r"java\s?script", re.I)
_MUCH = 20  # times as many letters of script as of text


def needs_scripts(tree: LexborHTMLParser, text: str) -> bool:
    """Whether hardly a word stands there, and the page says or shows why."""
    if len(text.strip()) >= _FEW:
        return False
    scripts = tree.css("script")
    if not scripts:
        return False
    if any(_SAYS_SO.search(each.text() or each.html or "") for each in tree.css("noscript")):
        return True
    root = tree.css_first(_ROOTS)
    empty = root is not None and not (root.text(strip=True) or "")
    if empty or (_SAYS_SO.search(text) and "enable" in text.lower()):
        return True
    sources = sum("src" in each.attributes for each in scripts)
    inline = sum(len(each.text() or "") for each in scripts)
    return not text.strip() and (sources > 0 or inline > _MUCH)
