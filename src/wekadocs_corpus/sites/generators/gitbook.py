"""GitBook: .gitbook.yaml, or the older book.json beside SUMMARY.md."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from wekadocs_corpus.sites.configuration import data_of
from wekadocs_corpus.sites.site import Site, Written, quoted

FILES = (".gitbook.yaml", "book.json")


def read(folder: Path, name: str, text: str) -> Site | None:
    data = data_of(name, text)
    root = data.get("root")
    pages = folder / root.removeprefix("./") if isinstance(root, str) and root else folder
    if name == "book.json":  # the older one named headings as GitHub does
        return Site("gitbook_legacy", pages.as_posix()) if (pages / "SUMMARY.md").is_file() else None
    return Site("gitbook", pages.as_posix())


def page(site: Site, path: str, written: Written) -> str | None:
    del written
    where = PurePosixPath(path)
    if where.name == "SUMMARY.md":
        return None
    folder = "" if where.parent == PurePosixPath() else where.parent.as_posix()
    legacy = site.generator == "gitbook_legacy"
    if where.stem.lower() == "readme":
        return quoted(f"{folder}/" if folder and legacy else folder)
    return quoted(where.with_suffix(".html" if legacy else "").as_posix())
