# Lines of files below one folder that match a pattern. jsonschema-rs matches in linear time: no caller's pattern can
# hang it. Links out of the folder and files over a megabyte are passed by.
from pathlib import Path

import jsonschema_rs

from wekadocs_mcp import ToolError, tool

ROOT = (Path(__file__).parent / "files").resolve()
LARGEST, LONGEST = 1_000_000, 300


@tool("files.lines")
def lines(call, pattern, glob, limit):
    matches = matcher(pattern)
    found = []
    for path in sorted(ROOT.glob(glob)):
        call.deadline.check()
        if not inside(path):
            continue
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
            if not matches(line):
                continue
            row = {"file": path.relative_to(ROOT).as_posix(), "number": number, "text": line[:LONGEST]}
            if len(found) == limit or not call.budget.fits(row):
                return {"lines": found, "more": True}
            found.append(row)
    return {"lines": found, "more": False}


def matcher(pattern):
    options = jsonschema_rs.RegexOptions()
    try:
        return jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=options).is_valid
    except ValueError:
        raise ToolError(
            "BAD_PATTERN", "This is no pattern, or one with back-references. Write plain words instead."
        ) from None


def inside(path):
    real = path.resolve()
    return real.is_relative_to(ROOT) and real.is_file() and real.stat().st_size <= LARGEST
