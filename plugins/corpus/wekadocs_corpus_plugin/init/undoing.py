"""One noted thing taken back; what somebody has changed since is left and told."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from .journal import Note, hash_of

if TYPE_CHECKING:
    from wekadocs_mcp import Config


def take_back(config: Config, note: Note) -> str:
    """What became of it, for whoever asked."""
    if note["kind"] == "documents":
        return _documents(config, note)
    return _client(note) if note["kind"] == "client" else _file(note)


def _file(note: Note) -> str:
    file = Path(note["path"])
    if not file.exists():
        return f"{file}: is gone already"
    if hash_of(file) != note["after"]:
        return f"{file}: was changed since, and stays"
    file.unlink()
    return f"{file}: removed"


def _documents(config: Config, note: Note) -> str:
    from wekadocs_corpus import CorpusError, Run, Stamp

    scope = config.scope
    run = Run(
        config.data_dir,
        config.plugins.get("corpus", {}),
        Stamp(note["name"], scope["environment"]),
        lambda *_: None,
    )
    try:
        count = run.remove([note["path"]]).report.deleted
        empty = not run.truth.stamps()
    except CorpusError:
        count, empty = 0, False  # none of them is there any more
    finally:
        run.truth.close()
    if note.get("new_data") and empty:
        _remove_index(config.data_dir)
    return f"{note['path']}: {count:,} documents forgotten"


def _remove_index(data_dir: Path) -> None:
    """What an ingest makes, where there was nothing before it; whatever else is there stays."""
    for each in data_dir.iterdir():
        if each.name == "index":
            shutil.rmtree(each, ignore_errors=True)
        elif each.name.startswith("corpus.db"):
            each.unlink()


def _client(note: Note) -> str:
    from wekadocs_mcp import ClientFile, StartError

    file, backup = Path(note["path"]), note["backup"]
    if hash_of(file) == note["after"]:
        if backup:
            Path(backup).replace(file)
            return f"{file}: as it was"
        file.unlink()
        return f"{file}: removed"
    if note["had_entry"]:
        return f"{file}: was changed since, and stays; as it was: {backup}"
    try:
        gone = ClientFile(note["client"], file).uninstall(note["name"])
    except StartError as error:
        return str(error)
    if backup:
        Path(backup).unlink(missing_ok=True)
    return f"{file}: `{note['name']}` is taken out" if gone else f"{file}: `{note['name']}` is not in it any more"
