"""What is known of the site that pages are built into."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote

from wekadocs_corpus.documents.anchors import Naming
from wekadocs_corpus.model import digest

Options = Mapping[str, object]  # plain data, as JSON would have it
Written = Mapping[str, object]  # front matter


@dataclass(frozen=True)
class Site:
    """Small and plain: it goes with every file to the process that reads it."""

    generator: str = ""  # "" = none was recognised
    folder: str = ""  # posix: what the paths of pages are relative to
    url: str = ""  # absolute, ends with a slash; "" = nobody says
    options: Options = field(default_factory=dict)  # what its configuration says on anchors and addresses

    @cached_property
    def mark(self) -> str:
        """Another one when pages would get other anchors or addresses; "" where nothing is known of the site."""
        if not (self.generator or self.url):
            return ""
        return digest(json.dumps([self.generator, self.folder, self.url, self.options], sort_keys=True))[:12]

    def option(self, name: str, otherwise: str = "") -> str:
        found = self.options.get(name)
        return found if isinstance(found, str) else otherwise

    def is_on(self, name: str) -> bool:
        return self.options.get(name) is True


class Page(NamedTuple):
    """A file as a page of its site."""

    site: Site = Site()
    path: str = ""  # posix, below the site's folder

    @property
    def naming(self) -> Naming:
        return Naming(self.site.generator, self.site.options)


NO_PAGE = Page()


def absolute(url: object) -> str:
    """The address of a site as configurations write it, with a slash at its end; "" if it is none."""
    if not isinstance(url, str):
        return ""
    url = url.strip().partition("#")[0].partition("?")[0]
    if not url.startswith(("https://", "http://")) or any(sign in url for sign in " <>{}$\"'\\\n"):
        return ""
    return url if url.endswith("/") else f"{url}/"


def joined(*parts: object) -> str:
    """Parts of a path with one slash between them, none around."""
    return "/".join(part for each in parts if (part := str(each or "").strip("/")))


def quoted(path: str) -> str:
    return quote(path, safe="/:@!$&'()*+,;=~")
