"""Antora: antora.yml beside `modules`; the playbook, where there is one, tells the site and its anchors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from wekadocs_corpus.sites.configuration import data_of, part, text_of
from wekadocs_corpus.sites.site import Site, Written, absolute, joined, quoted

FILES = ("antora.yml",)
BELOW = ("src/main/antora", "src/docs/antora")  # of a project built by Gradle or Maven
_PLAYBOOKS = ("antora-playbook.yml", "antora-playbook.yaml", "playbook.yml", "site.yml")
_ABOVE = 4  # folders above that are looked into for a playbook


def read(folder: Path, name: str, text: str) -> Site:
    data = data_of(name, text)
    playbook = next(_playbooks(folder), {})
    said = {**part(playbook, "asciidoc", "attributes"), **part(data, "asciidoc", "attributes")}
    version = data.get("version")
    options: dict[str, object] = {
        "component": _word(data.get("name")) if data.get("name") != _at_root(playbook) else "ROOT",
        "version": _word(version),
        "style": _word(part(playbook, "urls").get("html_extension_style")) or "default",
        **{name: str(said[name] or "").rstrip("@") for name in ("idprefix", "idseparator") if name in said},
    }
    url = absolute(part(playbook, "site").get("url"))
    return Site("antora", (folder / "modules").as_posix(), url, options)


def _at_root(playbook: dict[str, object]) -> object:
    """The component whose pages stand without its name, by Spring's extension."""
    said = part(playbook, "antora").get("extensions")
    extensions = [each for each in said if isinstance(each, dict)] if isinstance(said, list) else []
    return next(filter(None, (each.get("root_component_name") for each in extensions)), "ROOT")


def _playbooks(folder: Path) -> Iterator[dict[str, object]]:
    """In the folders up to the checkout's own."""
    for above in (folder, *folder.parents[:_ABOVE]):
        for name in _PLAYBOOKS:
            if text := text_of(above / name):
                yield data_of(name, text)
        if (above / ".git").exists():
            return


def _word(value: object) -> str:
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def page(site: Site, path: str, written: Written) -> str | None:
    del written
    module, *inside = PurePosixPath(path).with_suffix("").parts
    if len(inside) < 2 or inside[0] != "pages":
        return None  # a partial is no page
    rest = inside[1:]
    component = site.option("component").replace("ROOT", "")
    version = site.option("version").replace("master", "")
    folder = joined(component, version, "" if module == "ROOT" else module, *rest[:-1])
    name = rest[-1]
    if site.option("style") == "default":
        return quoted(joined(folder, f"{name}.html"))
    if name == "index":
        return quoted(f"{folder}/" if folder else "")
    return quoted(joined(folder, name) + ("/" if site.option("style") == "indexify" else ""))
