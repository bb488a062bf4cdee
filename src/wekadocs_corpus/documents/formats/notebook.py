"""Jupyter notebooks: cells of Markdown as they are, cells of code as code, and the beginning of what they print."""

from __future__ import annotations

import json
from collections.abc import Iterator

from wekadocs_corpus.documents.conversion.alignment import aligned
from wekadocs_corpus.documents.conversion.lines import Converted, fenced
from wekadocs_corpus.documents.conversion.neighbours import Neighbours
from wekadocs_corpus.documents.decoding import Unreadable
from wekadocs_corpus.documents.flavours import convert_markdown

_PRINTED_LINES, _PRINTED = 20, 2000  # of an output: lines and characters that are kept


def convert_notebook(text: str, neighbours: Neighbours) -> Converted:
    """The notebook as one page. Pictures and other data are no words."""
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("it is no Jupyter notebook: its JSON cannot be read") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise Unreadable("it is no Jupyter notebook: it has no cells")
    parts = [part for cell in cells if isinstance(cell, dict) for part in _parts(cell, _language(notebook))]
    page = convert_markdown("\n\n".join(parts) + "\n", neighbours)
    shown = page.text.split("\n")[:-1]
    return Converted(page.text, aligned(shown, text.split("\n")), page.anchors)


def _language(notebook: dict[str, object]) -> str:
    metadata = notebook.get("metadata")
    for key, name in (("kernelspec", "language"), ("language_info", "name")):
        told = metadata.get(key) if isinstance(metadata, dict) else None
        value = told.get(name) if isinstance(told, dict) else None
        if isinstance(value, str) and value.isalnum():
            return value.lower()
    return "python"


def _parts(cell: dict[str, object], language: str) -> Iterator[str]:
    source = _joined(cell.get("source")).strip("\n")
    if cell.get("cell_type") != "code":
        if source.strip():
            yield source
        return
    if source.strip():
        yield _code(source, language)
    outputs = cell.get("outputs")
    printed = "".join(_printed(each) for each in outputs if isinstance(each, dict)) if isinstance(outputs, list) else ""
    if printed.strip():
        yield _code("\n".join(printed.strip("\n").split("\n")[:_PRINTED_LINES])[:_PRINTED], "text")


def _printed(output: dict[str, object]) -> str:
    data = output.get("data")
    words = _joined(output.get("text")) or _joined(data.get("text/plain") if isinstance(data, dict) else None)
    return words if not words or words.endswith("\n") else words + "\n"


def _code(words: str, language: str) -> str:
    return "\n".join([line for line, _ in fenced([(line, 0) for line in words.split("\n")], language, 0)])


def _joined(value: object) -> str:
    """As notebooks keep text: whole, or line by line."""
    if isinstance(value, list):
        value = "".join(each for each in value if isinstance(each, str))
    text = value if isinstance(value, str) else ""
    return text.encode("utf-8", "replace").decode().replace("\0", "�").replace("\r\n", "\n").replace("\r", "\n")
