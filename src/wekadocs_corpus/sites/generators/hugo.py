"""Hugo: hugo.toml, or one of its other names, beside the folder `content`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from wekadocs_corpus.sites.configuration import data_of, in_any_case, part, text_of
from wekadocs_corpus.sites.headless import is_never, is_never_rendered
from wekadocs_corpus.sites.site import Site, Written, absolute, joined, quoted

_ENDINGS = ("toml", "yaml", "yml", "json")
FILES = tuple(f"{name}.{ending}" for name in ("hugo", "config") for ending in _ENDINGS)
FOLDER = "config/_default"  # the same files may stand here
_INDEXES = 500  # that are looked into
_GONE = re.compile(r"[^\w\-./+~]")


def read(folder: Path, name: str, text: str) -> Site | None:
    data = data_of(name, text)
    own = name.startswith("hugo")
    if not (own or in_any_case(data, "baseURL") is not None or (folder / "content").is_dir()):
        return None
    base = folder.parents[1] if folder.as_posix().endswith(f"/{FOLDER}") else folder
    content = in_any_case(data, "contentDir")
    pages = base / content if isinstance(content, str) and content else base / "content"
    return Site("hugo", pages.as_posix(), absolute(in_any_case(data, "baseURL")), _options(data, folder, base, pages))


def _options(data: Mapping[str, object], folder: Path, base: Path, pages: Path) -> dict[str, object]:
    main = in_any_case(data, "defaultContentLanguage")
    anchors = part(data, "markup", "goldmark", "parser").get("autoHeadingIDType")
    languages = part(data, "languages") or _languages(folder)
    return {
        "language": main if isinstance(main, str) else "en",
        "folders": _mounted(data, main if isinstance(main, str) else "en", base, pages)
        | {name: own for name, said in languages.items() if (own := _folder(said, base, pages))},
        "languages": sorted(languages),
        "unpublished": _unpublished(pages),
        "in_folder": in_any_case(data, "defaultContentLanguageInSubdir") is True,
        "ugly": in_any_case(data, "uglyURLs") is True,
        "as_written": in_any_case(data, "disablePathToLower") is True,
        "permalinks": sorted(_permalinks(data)),
        "anchors": anchors if isinstance(anchors, str) else "github",
    }


def _languages(folder: Path) -> dict[str, object]:
    names = [f"languages.{ending}" for ending in _ENDINGS]
    return next((data_of(name, text) for name in names if (text := text_of(folder / name))), {})


def _folder(said: object, base: Path, pages: Path) -> str:
    """Where a language's pages are, from the folder of all pages; "" if they are among the others."""
    content = in_any_case(said, "contentDir") if isinstance(said, dict) else None
    where = base / content if isinstance(content, str) and content else pages
    return where.relative_to(pages).as_posix().replace(".", "", 1) if where.is_relative_to(pages) else ""


def _mounted(data: Mapping[str, object], main: str, base: Path, pages: Path) -> dict[str, str]:
    """The same as mounts say it: `source = "content/fr"`, `target = "content"`, with a language or several."""
    mounts = part(data, "module").get("mounts")
    found: dict[str, str] = {}
    for mount in mounts if isinstance(mounts, list) else ():
        if isinstance(mount, dict) and mount.get("target") == "content":
            for language in _languages_of(mount) or [main]:
                found.setdefault(language, _folder({"contentDir": mount.get("source")}, base, pages))
    return {language: folder for language, folder in found.items() if folder}


def _languages_of(mount: Mapping[str, object]) -> list[str]:
    said = part(mount, "sites", "matrix").get("languages") or mount.get("lang")
    named = said if isinstance(said, list) else [said]
    return [each for each in named if isinstance(each, str) and not set(each) & set("*!?{")]  # patterns name none


def _unpublished(pages: Path) -> list[str]:
    """Folders of pages that are only put into others: their `_index.md` cascades `build: {render: never}`."""
    indexes = [each for pattern in ("*/_index.md", "*/*/_index.md") for each in sorted(pages.glob(pattern))[:_INDEXES]]
    return [each.parent.relative_to(pages).as_posix() for each in indexes if is_never_rendered(each)]


def _permalinks(data: Mapping[str, object]) -> set[str]:
    """The sections whose pages have an address of another shape."""
    said = part(data, "permalinks")
    own = part(said, "page")
    return {name for name in (own or said) if name not in ("page", "section", "taxonomy", "term")}


def page(site: Site, path: str, written: Written) -> str | None:
    if is_never(written) or _is_within(path, site.options.get("unpublished")):
        return None
    language, path = _language(site, path)
    prefix = "" if language in ("", site.option("language")) and not site.is_on("in_folder") else language
    stated = written.get("url")
    if isinstance(stated, str) and stated:
        return quoted(joined(prefix, stated) + ("/" if stated.endswith("/") else ""))
    where = PurePosixPath(path)
    permalinks = site.options.get("permalinks")
    if isinstance(permalinks, list) and where.parts[0] in permalinks and where.stem != "_index":
        return None
    return _address(site, prefix, where, written)


def _is_within(path: str, folders: object) -> bool:
    return isinstance(folders, list) and any(path.startswith(f"{folder}/") for folder in folders)


def _address(site: Site, prefix: str, where: PurePosixPath, written: Written) -> str:
    folder = "" if where.parent == PurePosixPath() else where.parent.as_posix()
    is_folder = where.stem in ("_index", "index")
    slug = written.get("slug")
    if is_folder and isinstance(slug, str) and slug and where.stem == "index":
        folder = joined(PurePosixPath(folder).parent.as_posix().replace(".", "", 1), slug)
    name = "" if is_folder else (slug if isinstance(slug, str) and slug else where.stem)
    path = joined(prefix, folder, name)
    path = path if site.is_on("as_written") else path.lower()
    path = _GONE.sub("", path.replace(" ", "-"))
    ugly = site.is_on("ugly") and name
    return quoted(path + (".html" if ugly else "/" if path else ""))


def _language(site: Site, path: str) -> tuple[str, str]:
    """The language of a page, and its path without it: by its folder, or by `page.fr.md`."""
    folders = site.options.get("folders")
    for name, folder in folders.items() if isinstance(folders, dict) else ():
        if path.startswith(f"{folder}/"):
            return name, path.removeprefix(f"{folder}/")
    where = PurePosixPath(path)
    stem, _, language = where.stem.rpartition(".")
    known = site.options.get("languages")
    if stem and isinstance(known, list) and (language in known or language == site.option("language")):
        return language, where.with_name(f"{stem}{where.suffix}").as_posix()
    return "", path
