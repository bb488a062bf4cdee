"""One comment on a pull request, kept up to date: ours is found by its mark and edited, and made where there is none.

python scripts/pr_comment.py FILE     in a job: GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_REF and GH_TOKEN say where

A job that may not comment (a fork's) is warned, not failed. Standard library only: the Action runs it as it is.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MARK = "<!-- wekadocs-contracts -->"
_MOST = 65_000  # characters: GitHub takes 65,536
_PAGES = 30
_SECONDS = 30


def main() -> None:
    number = re.match(r"refs/pull/(\d+)/", os.environ.get("GITHUB_REF", ""))
    if not number:
        return  # no pull request, no comment
    text = f"{MARK}\n{Path(sys.argv[1]).read_text('utf-8')}"
    try:
        print(
            _keep(text if len(text) <= _MOST else f"{text[:_MOST]}\n\n… the rest is in the job's summary.", number[1])
        )
    except (urllib.error.URLError, OSError, ValueError) as error:
        reason = re.sub(r"[\r\n%]", " ", str(error))
        print(
            f"::warning title=contracts::the comment could not be written ({reason}); permissions: pull-requests: write"
        )


def _keep(text: str, number: str) -> str:
    issues = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    ours = next(_ours(f"{issues}/{number}/comments?per_page=100"), None)
    if ours is None:
        _ask("POST", f"{issues}/{number}/comments", {"body": text})
        return "commented"
    if ours["body"] == text:
        return "the comment is up to date"
    _ask("PATCH", f"{issues}/comments/{int(ours['id'])}", {"body": text})
    return "the comment was edited"


def _ours(url: str | None) -> Iterator[dict[str, Any]]:
    """Comments with our mark that a job made: somebody who copies the mark does not get his words replaced."""
    for _ in range(_PAGES):
        if not url:
            return
        page, link = _ask("GET", url)
        for each in page:
            if str(each.get("body", "")).startswith(MARK) and (each.get("user") or {}).get("type") == "Bot":
                yield each
        following = re.search(r'<([^>]+)>;\s*rel="next"', link)
        url = following[1] if following and following[1].startswith(os.environ["GITHUB_API_URL"]) else None


def _ask(method: str, url: str, body: dict[str, str] | None = None) -> tuple[Any, str]:
    headers = {
        "Accept": "application/vnd.github+json",
        "Authorization": f"Bearer {os.environ['GH_TOKEN']}",
        "Content-Type": "application/json",
        "User-Agent": "wekadocs-contracts",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310 - the runner's own API address
    with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
        return json.load(answer), answer.headers.get("Link") or ""


if __name__ == "__main__":
    main()
