"""Docusaurus: docusaurus.config.js beside the folders of its docs, blog and pages; only literals of it are read.

Often it stands in `website/` and its docs beside that (`path: '../docs'`): such a site's folder is what holds both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from wekadocs_corpus.sites.configuration import Block, assigned, blocks, text_of
from wekadocs_corpus.sites.site import Site, Written, absolute, joined, quoted

BESIDE = ("website", "site", "documentation")  # folders of a site's own, whose docs may be outside of them
FILES = tuple(f"docusaurus.config.{ending}" for ending in ("js", "ts", "mjs", "cjs", "mts"))
_NUMBER = re.compile(r"\d+\s*[-_.]+\s*([^-_.\s].*)\Z")
_NO_NUMBER = re.compile(r"(?:\d{2}|\d{4})[-_.]\d{2}(?:[-_.](?:\d{2}|\d{4}))?.*\Z|\d+[-_.]\d+")  # a date, a version
_DATED = re.compile(r"(?:(.*)/)?(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]?(.*)\Z")
_VERSION = re.compile(r"((?:\w[\w-]*_)?versioned_docs)/version-([^/]+)/(.+)\Z")


def read(folder: Path, name: str, text: str) -> Site:
    del name
    found = blocks(text)
    base = _said(found, "baseUrl") or assigned(text, "baseUrl") or _otherwise(text) or "/"
    url, path = absolute(_said(found, "url")), joined(base)
    docs = _docs(found)
    options: dict[str, object] = {
        "docs": docs,
        "blogs": {each[0]: each[1] for each in _places(found, "blog")} or {"blog": "blog"},
        "slash": next((each.values["trailingSlash"] for each in found if "trailingSlash" in each.values), None),
        "versions": _versions(folder),
        "last": _said(found, "lastVersion"),
    }
    if any(each.values.get("includeCurrentVersion") is False for each in found):
        options |= _only_released(folder, options)
    if folder.name in BESIDE and any(each.startswith("../") for each in docs):
        options["own"], folder = folder.name, folder.parent
    return Site("docusaurus", folder.as_posix(), f"{url}{path}/" if url and path else url, options)


def pages(site: Site) -> Path:
    """What is to be read of it: all there is, or where the docs are outside of the site's own folder, those."""
    outside = [folder for folder, _ in _folders(site, "docs") if folder.startswith("../")]
    return Path(site.folder, site.option("own"), outside[0]) if outside else Path(site.folder)


def _only_released(folder: Path, options: Mapping[str, object]) -> dict[str, object]:
    """The docs as they are now are no pages, unless the latest version is made from them."""
    versions = options["versions"]
    latest = options["last"] or (versions[0] if isinstance(versions, list) and versions else "")
    is_there = bool(latest) and (folder / f"versioned_docs/version-{latest}").is_dir()
    return {"released": True, "last": latest} if is_there else {"last": "current"}


def others(site: Site) -> tuple[str, ...]:
    """What stands in its folder beside its pages, as lines of an ignore file; nothing where they stand elsewhere."""
    docs, blogs = ([folder for folder, _ in _folders(site, kind)] for kind in ("docs", "blogs"))
    if site.option("own") or not all(Path(site.folder, each).is_dir() for each in docs):
        return ()
    if site.is_on("released") and docs:
        docs[0] = f"versioned_docs/version-{site.option('last')}"
    kept = ["src/pages", *docs, *blogs]
    above = list(dict.fromkeys(where for each in kept for where in _above(each)))
    opened = [line for where in above for line in (f"!/{where}/", f"/{where}/*")]
    return ("/*", *opened, *(f"!/{each}/" for each in kept))


def _above(folder: str) -> list[str]:
    """The folders that it lies in, the outermost first."""
    return [each.as_posix() for each in reversed(PurePosixPath(folder).parents) if each.name]


def _otherwise(text: str) -> str:
    """`const baseUrl = process.env.BASE_URL ?? '/'`."""
    found = re.search(r"\bbaseUrl\s*=[^;\n]*?(?:\?\?|\|\|)\s*['\"]([^'\"\n]*)", text)
    return found[1] if found else ""


def _said(found: list[Block], name: str) -> str:
    said = next((each.values[name] for each in found if name in each.values), "")
    return said if isinstance(said, str) else ""


def _places(found: list[Block], kind: str) -> list[tuple[str, str]]:
    """Folder and route of every instance of this kind."""
    named = [each for each in found if each.name == kind or each.name.endswith(f"content-{kind}")]
    named = [each for each in named if each.name != kind or {"path", "routeBasePath"} & each.values.keys()]
    return [
        (joined(each.values.get("path", kind)).removeprefix("./"), joined(each.values.get("routeBasePath", kind)))
        for each in named
    ]


def _docs(found: list[Block]) -> dict[str, str]:
    return dict(_places(found, "docs")) or {"docs": "docs"}


def _versions(folder: Path) -> list[str]:
    """The released ones, the latest first."""
    try:
        found = json.loads(text_of(folder / "versions.json") or "[]")
    except (ValueError, RecursionError):
        return []
    return [each for each in found if isinstance(each, str)][:1000] if isinstance(found, list) else []


def page(site: Site, path: str, written: Written) -> str | None:
    path = _from_own(site.option("own"), path)
    versioned = _VERSION.match(path)
    if versioned:
        return _versioned(site, versioned, written)
    for place, (folder, route) in enumerate(_folders(site, "docs")):
        if path.startswith(f"{folder}/"):
            if not place and site.is_on("released"):
                return None  # only what has a version is published
            inside = path.removeprefix(f"{folder}/")
            return _address(site, joined(route, _current(site, folder)), _doc(inside, written))
    for folder, route in _folders(site, "blogs"):
        if path.startswith(f"{folder}/"):
            return _address(site, route, _post(path.removeprefix(f"{folder}/"), written))
    if path.startswith("src/pages/"):
        where = PurePosixPath(path.removeprefix("src/pages/")).with_suffix("")
        return _address(site, "", (where.parent if where.name == "index" else where).as_posix().removeprefix("."))
    return None


def _from_own(own: str, path: str) -> str:
    """As its configuration writes it: from the folder that this stands in."""
    if not own:
        return path
    return path.removeprefix(f"{own}/") if path.startswith(f"{own}/") else f"../{path}"


def _folders(site: Site, name: str) -> list[tuple[str, str]]:
    found = site.options.get(name)
    return list(found.items()) if isinstance(found, dict) else []


def _current(site: Site, folder: str) -> str:
    """What is not released yet stands under `next`, where anything is released."""
    versions = site.options.get("versions")
    first = next(iter(dict(_folders(site, "docs"))), "docs")
    return "next" if versions and folder == first and site.option("last") != "current" else ""


def _versioned(site: Site, found: re.Match[str], written: Written) -> str | None:
    docs = _folders(site, "docs")
    plugin = found[1].removesuffix("versioned_docs").rstrip("_")
    route = next((route for folder, route in docs if folder == plugin), docs[0][1] if docs and not plugin else None)
    versions = site.options.get("versions")
    if route is None or not isinstance(versions, list):
        return None
    latest = site.option("last") or (versions[0] if versions else "")
    return _address(site, joined(route, "" if found[2] == latest else found[2]), _doc(found[3], written))


def _doc(path: str, written: Written) -> str:
    """Its slug below the route, with a slash at its end where it is a folder's page."""
    where = PurePosixPath(path)
    folder = "/".join(map(_plain, where.parent.parts))
    slug = written.get("slug")
    if isinstance(slug, str) and slug:
        return slug if slug.startswith("/") else joined(folder, slug.removeprefix("./"))
    own = _plain(where.stem)
    if own.lower() in ("index", "readme") or (folder and own.lower() == folder.rpartition("/")[2].lower()):
        return f"{folder}/" if folder else ""
    name = written.get("id")
    return joined(folder, name if isinstance(name, str) and name else own)


def _plain(name: str) -> str:
    """Without the number that orders it."""
    found = None if _NO_NUMBER.match(name) else _NUMBER.match(name)
    return found[1] if found else name


def _post(path: str, written: Written) -> str:
    slug = written.get("slug")
    if isinstance(slug, str) and slug:
        return slug
    stem = PurePosixPath(path).with_suffix("").as_posix().removesuffix("/index")
    dated = _DATED.match(stem)
    return joined(dated[1], *dated.group(2, 3, 4), dated[5]) if dated else stem


def _address(site: Site, route: str, slug: str) -> str:
    path = joined(route, slug)
    slash = site.options.get("slash")
    ends = slug.endswith("/") and slug != "/" if slash is None else slash is True
    return quoted(path + ("/" if ends and path else ""))
