"""chunks.format_citation: references of a project's bibliography as a style writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_mcp import ToolError, tool

from ..errors import invalid
from ..pages import Found, Row, listed
from ..state import ChunksState, Doing, in_thread, told
from .records import Record, Unreadable

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..projects import Project
    from .bibliographies import Bibliography

_EXTRA = "Formatting citations needs a library that is not installed on the server: pip install 'wekadocs-mcp[chunks]'."


@tool("chunks.format_citation")
async def format_citation(
    call: Call[ChunksState],
    project: str,
    items: list[dict[str, Any]],
    style: str,
    cursor: str | None,
    max_tokens: int | None,
) -> dict[str, Any]:
    known = call.state.project(project)

    async def find() -> Found:
        if not known.references and not known.zotero:
            way = "name a file under references in its settings, or a library under zotero"
            raise invalid(f"Project {project!r} has no bibliography: {way}.", path="/project")
        with told(call, project, Doing("formatting citations")):
            rows, absent = await in_thread(call, lambda: _formatted(call.state, known, items, style))
        return rows, {"style": style, **({"not_found": absent} if absent else {})}

    return await listed(call, "citations", find, cursor, max_tokens, counted=False)


def _formatted(
    state: ChunksState, project: Project, items: list[dict[str, Any]], style: str
) -> tuple[list[Row], list[str]]:
    try:
        from .styles import NoStyle, formatted
    except ImportError:
        raise ToolError("BACKEND_UNAVAILABLE", _EXTRA, retryable=False) from None
    try:
        references = _bibliography(state, project)
        found = [(each, record) for each in items if (record := references.by_key(each["citekey"]))]
        asked = [({**record.csl, "id": _key(record)}, str(each.get("page") or "")) for each, record in found]
        rows = formatted(asked, style, state.styles) if asked else []
    except NoStyle as error:
        raise invalid(f"{error}.", path="/style") from None
    except Unreadable as error:
        raise invalid(f"{error}.", path="/project") from None
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
        what = f"A reference cannot be written in the style {style!r} ({type(error).__name__})"
        raise invalid(f"{what}: leave it out, or correct it.", path="/items") from None
    shown = [
        {"citekey": each["citekey"], "in_text": citation, "entry": entry}
        for (each, _), (citation, entry) in zip(found, rows, strict=True)
    ]
    absent = [each["citekey"] for each in items if references.by_key(each["citekey"]) is None]
    return shown, absent


def _bibliography(state: ChunksState, project: Project) -> Bibliography:
    found = state.bibliographies.of(project)
    if found is None or not found.references:
        raise Unreadable("; ".join(found.unreadable) if found else "no bibliography")
    return found


def _key(record: Record) -> str:
    return record.citekey.lower()
