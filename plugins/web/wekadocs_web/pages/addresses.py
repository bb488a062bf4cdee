"""Addresses in a page: made whole, and written so that Markdown can hold them."""

from __future__ import annotations

import re
from urllib.parse import quote, urljoin, urlsplit

_LONGEST = 2000
_UNSAFE = re.compile(r"[\s<>()\"\\^`{|}\[\]]")


def absolute(base: str, target: str) -> str:
    """The address of an http(s) page, as Markdown can hold it; empty for anything else."""
    try:
        joined = urljoin(base, target.strip())
        if urlsplit(joined).scheme not in ("http", "https") or len(joined) > _LONGEST:
            return ""
    except ValueError:
        return ""
    return _UNSAFE.sub(lambda found: quote(found[0]), joined)


def page_of(address: str) -> str:
    """Without the place in the page."""
    return address.partition("#")[0]
