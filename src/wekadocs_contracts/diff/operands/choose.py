"""What can stand on either side of a comparison: a folder, a git ref, a lock, JSON, nothing, a live server."""

from __future__ import annotations

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
        f"{text}: there is no such file or folder; an operand is a folder of contracts or of tool snapshots, git:REF, "
        "a lock file, a JSON file of tools, null, http://…, stdio:COMMAND, npm:PACKAGE@VERSION or pypi:PACKAGE@VERSION"
    )


def working_tree() -> Path:
    """The contracts of the checkout one stands in: ./contracts, else the one at its top."""
    here = Path("contracts")
    if here.is_dir():
        return here
    from .git import top_level

    top = top_level()
    if top is not None and (top / "contracts").is_dir():
        return top / "contracts"
    raise Unreadable("there is no folder ./contracts here; name the folder to check: contracts diff BASE HEAD")
