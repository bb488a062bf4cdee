"""A published version of a server, started by npx or uvx in a folder of its own and with nobody's home."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
import time
from dataclasses import replace

from wekadocs_contracts.diff.problems import Unreachable, Unreadable

from .asking import converse
from .calling import Calling, Offer
from .stdio import StdioLine

_NPM = re.compile(r"(@[a-z0-9][\w.-]*/)?[a-z0-9][\w.-]*(@[\w.+~^-]+)?", re.I)
_PYPI = re.compile(r"([A-Za-z0-9][\w.-]*)(\[[\w,.-]+\])?(?:@([\w.+!-]+))?")
_INSTALLING_SECONDS = 240.0  # the first start downloads
# What a registry behind a proxy needs; nothing else of the operator's environment reaches a stranger's code.
_KEPT = re.compile(
    r"PATH|LANG|LC_\w+|TZ|npm_config_\w+|UV_(?!PUBLISH)\w+|PIP_\w+|(https?|no|all)_proxy|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS",
    re.I,
)


def published(text: str, calling: Calling) -> Offer:
    """`npm:@scope/server@1.2 --flag` or `pypi:server@1.2`: only an operator names such an operand."""
    words = _command(text)
    with tempfile.TemporaryDirectory(prefix="wekadocs-published-", ignore_cleanup_errors=True) as folder:
        kept = {name: value for name, value in os.environ.items() if _KEPT.fullmatch(name)}
        home = {"HOME": folder, "TMPDIR": folder, "npm_config_cache": f"{folder}/npm", "UV_CACHE_DIR": f"{folder}/uv"}
        line = StdioLine(f"stdio:{shlex.join(words)}", folder, {**kept, **home})
        line.text = text  # as the operator wrote it
        seconds = max(calling.seconds, _INSTALLING_SECONDS)
        return converse(text, line, replace(calling, seconds=seconds), time.monotonic() + seconds)


def _command(text: str) -> list[str]:
    kind, _, rest = text.partition(":")
    name, *more = shlex.split(rest) or [""]
    runner = {"npm": "npx", "pypi": "uvx"}[kind]
    found = (_NPM if kind == "npm" else _PYPI).fullmatch(name)
    if found is None:
        example = "npm:@scope/server@1.2" if kind == "npm" else "pypi:some-server@1.2"
        raise Unreadable(f"{text}: write {kind}:PACKAGE@VERSION, such as {example}")
    if shutil.which(runner) is None:
        raise Unreachable(f"{text}: {runner} is not installed; it starts published servers")
    if kind == "npm":
        return ["npx", "--yes", "--", name, *more]
    package, extras, version = found[1], found[2] or "", found[3]
    started = more if more and not more[0].startswith("-") else [package, *more]  # another command of it, or this one
    return ["uvx", "--from", f"{package}{extras}{f'=={version}' if version else ''}", *started]
