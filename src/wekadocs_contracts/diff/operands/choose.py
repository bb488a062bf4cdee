"""What can stand on either side of a comparison: a folder, a git ref, a lock, JSON, nothing, a live server."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from wekadocs_contracts.diff.problems import Unreadable

from .sides import Operand, Reading

PREFIXES = ("http://", "https://", "stdio:", "npm:", "pypi:")


def read(text: str, reading: Reading) -> Operand:
    if text == "null":
        return Operand.of("null", "null")
    if text.startswith("git:"):
        from .git import read_ref

        return read_ref(text[4:], reading)
    if text.startswith(PREFIXES):
        from .live import read_live

        return read_live(text, reading)
    path = Path(text)
    if path.is_dir():
        from wekadocs_contracts.format.contracts import contract_files

        from .files import read_directory
        from .snapshots import read_snapshots, snapshot_files

        if snapshots := snapshot_files(path):
            return read_snapshots(snapshots, path, path, text)
        if not contract_files(path):
            raise Unreadable(
                f"{text}: neither contracts (NAME.vN.yaml) nor snapshots of tools are in this folder; name the folder "
                "they are in, or null to compare with nothing"
            )
        return Operand(text, "directory", read_directory(path, path, reading.other), folder=path)
    if path.is_file():
        from .files import read_file

        return read_file(path)
    raise Unreadable(
        f"{text}: there is no such file or folder{_nearest(text)}; an operand is a folder of contracts or of tool "
        "snapshots, git:REF, a lock file, a JSON file of tools, null, http://…, stdio:COMMAND, npm:PACKAGE@VERSION or "
        "pypi:PACKAGE@VERSION"
    )


def _nearest(text: str) -> str:
    """What was meant, where that can be guessed: a ref without its prefix, a slip in a prefix or in a name."""
    from .git import commit_of

    if commit_of(text) is not None:
        return f"; did you mean git:{text}?"
    prefix, colon, rest = text.partition(":")
    if near := get_close_matches(prefix, ["git", "http", "https", "stdio", "npm", "pypi"], 1) if colon else []:
        return f"; did you mean {near[0]}:{rest}?"
    path = Path(text)
    beside = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
    near = get_close_matches(path.name, beside, 1)
    return f"; did you mean {path.with_name(near[0])}?" if near else ""


def working_tree() -> Path:
    """The contracts of the checkout one stands in: ./contracts, else the one at its top."""
    here = Path("contracts")
    if here.is_dir():
        return here
    from .git import top_level

    top = top_level()
    if top is not None and (top / "contracts").is_dir():
        return top / "contracts"
    raise Unreadable(f"there is no folder ./contracts here; name the folder to check: {_elsewhere()}")


def _elsewhere() -> str:
    """The command with the folders where contracts stand, which may have been moved in this very change."""
    from .git import folders_of_contracts

    known = folders_of_contracts()
    return " or ".join(f"contracts diff BASE {folder}" for folder in known[:3]) or "contracts diff BASE HEAD"
