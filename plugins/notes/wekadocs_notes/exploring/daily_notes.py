"""notes.daily_notes: notes of days, by the date in their file name or front matter."""

from __future__ import annotations

import asyncio
import re
from datetime import date
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..errors import invalid
from ..reading.fitting import as_many
from ..reading.looking import look
from ..state import NotesState

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..index import KeptVault
    from ..vault import Known

_IN_NAME = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)")
_IN_PATH = re.compile(r"(?:^|/)(\d{4})/(\d{2})/(\d{2})(?!\d)")  # a folder a year, a folder a month
_PROPERTIES = ("date", "day", "created")


@tool("notes.daily_notes")
async def daily_notes(
    call: Call[NotesState], start: str | None, end: str | None, limit: int, vault: str | None
) -> Answer:
    first, last = _day(start, "start"), _day(end, "end")
    opened = await look(call, vault)
    rows = await asyncio.to_thread(_rows, opened.kept, first, last)
    shown = rows[:limit]
    return as_many(call, opened, len(shown), lambda count: {"results": shown[:count], "total": len(rows)})


def _day(said: str | None, name: str) -> date | None:
    try:
        return date.fromisoformat(said) if said else None
    except ValueError:
        raise invalid(f"{name}: {said!r} is no date; write it as 2024-01-31.", path=f"/{name}") from None


def _rows(kept: KeptVault, first: date | None, last: date | None) -> list[dict[str, Any]]:
    """The latest first."""
    with kept.turn:
        dated = [(day, note) for note in kept.vault.notes.values() if (day := day_of(note)) is not None]
    found = [each for each in dated if (first or each[0]) <= each[0] <= (last or each[0])]
    found.sort(key=lambda each: (-each[0].toordinal(), each[1].id))
    return [{"date": day.isoformat(), "id": note.id, "title": note.title} for day, note in found]


def day_of(note: Known) -> date | None:
    name = note.id.rpartition("/")[2]
    said = (str(note.properties[each]) for each in _PROPERTIES if note.properties.get(each))
    for match in (_IN_NAME.search(name), _IN_PATH.search(note.id), *map(_IN_NAME.search, said)):
        try:
            if match:
                return date(int(match[1]), int(match[2]), int(match[3]))
        except ValueError:
            continue
    return None
