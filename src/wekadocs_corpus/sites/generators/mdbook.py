"""mdBook: book.toml beside the folder `src`."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from wekadocs_corpus.sites.configuration import data_of, part
from wekadocs_corpus.sites.site import Site, Written, absolute, joined, quoted

FILES = ("book.toml",)


def read(folder: Path, name: str, text: str) -> Site:
    data = data_of(name, text)
    pages = part(data, "book").get("src")
    html = part(data, "output", "html")
    path, host = html.get("site-url"), html.get("cname")
    url = absolute(path) or (absolute(f"https://{host}/{joined(path)}") if isinstance(host, str) and host else "")
    return Site("mdbook", (folder / (pages if isinstance(pages, str) and pages else "src")).as_posix(), url)


def page(site: Site, path: str, written: Written) -> str | None:
    del site, written
    where = PurePosixPath(path)
    stem = "index" if where.stem.lower() == "readme" else where.stem
    return None if where.name == "SUMMARY.md" else quoted(where.with_name(f"{stem}.html").as_posix())
