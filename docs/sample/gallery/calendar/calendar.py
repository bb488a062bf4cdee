# Entries of an iCalendar file between two days. Only dates and summaries are read: no address, no attachment.
import re
from datetime import date, timedelta
from pathlib import Path

from wekadocs_mcp import ToolError, tool

FILE = Path(__file__).parent / "team.ics"
START = re.compile(r"DTSTART[^:]*:([0-9]{4})([0-9]{2})([0-9]{2})")


@tool("team.calendar")
def calendar(call, first, days, limit):
    try:
        begin = date.fromisoformat(first)
        end = begin + timedelta(days=days)
    except (ValueError, OverflowError):
        raise ToolError("BAD_DAY", "Write a day of this millennium as 2026-03-01.") from None
    found = sorted((day, summary) for day, summary in entries() if begin <= day < end)
    return {"entries": [{"day": day.isoformat(), "summary": summary} for day, summary in found[:limit]]}


def entries():
    lines = re.sub(r"\r?\n[ \t]", "", FILE.read_text("utf-8")).splitlines()  # long lines are folded
    day, summary = None, ""
    for line in lines:
        if started := START.match(line):
            day = date(*map(int, started.groups()))
        elif line.startswith("SUMMARY"):
            summary = re.sub(r"\\([,;\\])", r"\1", line.partition(":")[2])
        elif line == "END:VEVENT" and day is not None:
            yield day, summary
            day, summary = None, ""
