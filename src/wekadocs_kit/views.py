"""How quotes look where somebody can see them: in the console, and in clients that show MCP Apps.

One rendering for both. The console serves the scripts as files; an app's page has to be a single one, so here they are
put into it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

VIEWS = Path(__file__).parent / "views"
APP_TYPE = "text/html;profile=mcp-app"
_SCRIPTS = ("dom.js", "document_view.js", "answer.js")  # each after what it needs
_IMPORT = re.compile(r"^import .*?;\n", re.M)
_EXPORT = re.compile(r"^export (?=const|function|async|class)", re.M)
# What a client's own policy lets through may be more; a document's text can still only ever be text.
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


@cache
def answer_page() -> str:
    """An HTML document that shows the quotes of an answer, with nothing to fetch."""
    script = "\n".join(_alone((VIEWS / name).read_text("utf-8")) for name in _SCRIPTS)
    style = (VIEWS / "answer.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Answer</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<style>{style}</style></head><body><script type="module">\n{script}</script></body></html>\n'
    )


def _alone(script: str) -> str:
    """A module that stands in one file with what it imports."""
    return _EXPORT.sub("", _IMPORT.sub("", script))
