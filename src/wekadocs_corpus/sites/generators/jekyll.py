"""Jekyll: _config.yml in the folder of pages."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from wekadocs_corpus.sites.configuration import data_of, part
from wekadocs_corpus.sites.site import Site, Written, absolute, joined, quoted

FILES = ("_config.yml", "_config.yaml")


def read(folder: Path, name: str, text: str) -> Site | None:
    data = data_of(name, text)
    if "book_title" in data or "sphinx" in data:
        return None  # Jupyter Book has a file of this name too
    url, base = absolute(data.get("url")), data.get("baseurl")
    permalink = data.get("permalink")
    options: dict[str, object] = {
        "pretty": permalink == "pretty" or (isinstance(permalink, str) and permalink.endswith("/")),
        "collections": {each: _shape(said) for each, said in part(data, "collections").items()},
    }
    # GitHub's Markdown is the default.
    plain = str(part(data, "kramdown").get("input") or "GFM").lower() == "kramdown"
    url = f"{url}{joined(base)}/" if url and joined(base) else url
    return Site("kramdown" if plain else "jekyll", folder.as_posix(), url, options)


def _shape(said: object) -> str:
    """What addresses of a collection look like; "" if it has no pages."""
    if not isinstance(said, dict) or said.get("output") is not True:
        return ""
    permalink = said.get("permalink")
    return permalink if isinstance(permalink, str) else "/:collection/:path:output_ext"


def page(site: Site, path: str, written: Written) -> str | None:
    stated = written.get("permalink")
    if isinstance(stated, str) and stated:
        path = joined(stated)
        return None if ":" in stated else quoted(path + ("/" if stated.endswith("/") and path else ""))
    where = PurePosixPath(path)
    if where.parts[0].startswith("_"):
        return _of_collection(site, where)
    if any(each.startswith("_") for each in where.parts):
        return None
    if where.stem == "index":
        return quoted("" if where.parent == PurePosixPath() else f"{where.parent.as_posix()}/")
    return quoted(where.with_suffix("").as_posix() + ("/" if site.is_on("pretty") else ".html"))


def _of_collection(site: Site, where: PurePosixPath) -> str | None:
    """Only of what its path tells: a date or a category is not among it."""
    name = where.parts[0][1:]
    collections = site.options.get("collections")
    shape = collections.get(name) if isinstance(collections, dict) else None
    if not isinstance(shape, str) or not shape:
        return None
    stem = where.relative_to(where.parts[0]).with_suffix("").as_posix()
    words = {"collection": name, "path": stem, "name": where.stem, "title": where.stem, "output_ext": ".html"}
    filled = re.sub(r":(\w+)", lambda found: words.get(found[1], "\0"), shape)
    return None if "\0" in filled else quoted(joined(filled) + ("/" if filled.endswith("/") else ""))
