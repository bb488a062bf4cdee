"""What there is in the folder that is set up, and the tools.yaml that says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_TITLES = {"mkdocs": "MkDocs", "mdbook": "mdBook", "vitepress": "VitePress", "gitbook_legacy": "GitBook", "": "none"}
_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Repository:
    folder: Path
    pages: Path
    generator: str  # "" = none was recognised
    site_url: str  # "" = nobody says
    ignore: tuple[str, ...] = ()  # what is no page of it, as lines of an ignore file

    @property
    def name(self) -> str:
        return _SLUG.sub("-", self.folder.name.lower()).strip("-")[:40] or "docs"

    @property
    def server(self) -> str:
        """What clients call it: a letter first."""
        if not self.name[0].isalpha():
            return f"docs-{self.name}"
        return self.name if self.name.endswith("docs") else f"{self.name}-docs"

    @property
    def tools_yaml(self) -> Path:
        return self.folder / "tools.yaml"

    def found(self) -> str:
        kind = _TITLES.get(self.generator, self.generator.title())
        where = "this folder" if self.pages == self.folder else f"{self.below()}/"
        built = f"Site generator: {kind}" if self.generator else "Site generator: none recognised, plain files"
        unsaid = "where it is published is not said (citations lead there: init --site-url https://…)"
        return f"{built}; pages in {where}; {f'published at {self.site_url}' if self.site_url else unsaid}."

    def below(self) -> str:
        """Where the pages are, from the folder."""
        return self.pages.relative_to(self.folder).as_posix()


def look(folder: Path, stated: str | None = None) -> Repository:
    from wekadocs_corpus import not_pages, site_in

    site = site_in(folder)
    pages = Path(site.folder).resolve()
    inside = pages if pages == folder or folder in pages.parents else folder
    return Repository(folder, inside, site.generator, stated or site.url, not_pages(site))


def tools_yaml(found: Repository) -> str:
    """Laid over the shipped one, so it says only what differs."""
    from wekadocs_text import as_json

    address = as_json(found.site_url) if found.site_url else '""  # where the pages are published, for citations'
    return f"""\
# Written by `wekadocs-mcp init`, which takes it back with --undo. Laid over the shipped tools.yaml: only what differs.
scope: {{project_id: {as_json(found.name)}}}
plugins:
  corpus:
    docs: {as_json(found.below())}  # taken in when the server starts, and followed
    ingest:
      site_url: {address}
      ignore: {as_json(list(found.ignore))}  # as in a .gitignore
      tags: {{"*": [{as_json(found.name)}]}}  # beside the tags that pages have
"""
