# Entries of a CHANGELOG.md in the form of keepachangelog.com, by release.
import re
from pathlib import Path

from wekadocs_mcp import ToolError, tool

FILE = Path(__file__).parent / "CHANGELOG.md"
RELEASE = re.compile(r"^## \[?([^\]\s]+)\]?.*$", re.MULTILINE)


@tool("releases.changes")
def changes(call, version, words):
    parts = RELEASE.split(FILE.read_text("utf-8"))
    releases = dict(zip(parts[1::2], parts[2::2], strict=True))
    if version is None:
        return {"versions": list(releases), "entries": []}
    if version not in releases:
        raise ToolError("NO_RELEASE", f"There is no release {version}. There are: {', '.join(list(releases)[:20])}.")
    lines = [line[2:].strip() for line in releases[version].splitlines() if line.startswith("- ")]
    wanted = [line for line in lines if (words or "").casefold() in line.casefold()]
    shown = []
    for line in wanted:
        if not call.budget.fits(line):
            break
        shown.append(line)
    return {"versions": [version], "entries": shown}
