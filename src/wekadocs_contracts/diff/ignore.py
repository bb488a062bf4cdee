"""Changes that a team accepts: by fingerprint, with a reason, an owner and a day on which it ends."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from pathlib import Path

from wekadocs_contracts.format.source import Source, read
from wekadocs_contracts.problems import Problem, StartError

from .problems import Unreadable

FILE = "diff-ignore.yaml"
_DEMANDED = ("fingerprint", "reason", "owner", "expires")
_KNOWN = frozenset({*_DEMANDED, "rule", "tool"})
_FINGERPRINT = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True)
class Entry:
    fingerprint: str
    reason: str
    owner: str
    expires: datetime.date
    place: str

    def expired(self, today: datetime.date) -> bool:
        return today > self.expires


def load(path: Path) -> list[Entry]:
    """Every entry, or Unreadable with all that is missing in any of them."""
    try:
        source = read(path)
        rows = source.data.get("ignore") if isinstance(source.data, dict) and set(source.data) <= {"ignore"} else None
        if source.data is None:
            return []
        if not isinstance(rows, list):
            raise StartError(
                [
                    source.problem(
                        (), "an ignore file is `ignore:` with a list", "- {fingerprint, reason, owner, expires}"
                    )
                ]
            )
        problems = [problem for index, row in enumerate(rows) for problem in _problems(source, index, row)]
        if problems:
            raise StartError(problems)
    except StartError as error:
        raise Unreadable(str(error)) from None
    return [
        Entry(
            row["fingerprint"],
            row["reason"],
            row["owner"],
            datetime.date.fromisoformat(row["expires"]),
            f"{path}:{source.values[('ignore', index)][0]}",
        )
        for index, row in enumerate(rows)
    ]


def _problems(source: Source, index: int, row: object) -> list[Problem]:
    here = ("ignore", index)
    if not isinstance(row, dict):
        return [source.problem(here, "an entry is a mapping", "{fingerprint, reason, owner, expires}")]
    found = [
        source.problem((*here, key), f"`{key}` is unknown", "remove it", at_key=True)
        for key in row
        if key not in _KNOWN
    ]
    for key in _DEMANDED:
        if not isinstance(row.get(key), str) or not row[key].strip():
            found.append(
                source.problem(here, f"`{key}` is missing", "say what is ignored, why, by whom and until when")
            )
    if not found and not _FINGERPRINT.fullmatch(row["fingerprint"]):
        found.append(
            source.problem(
                (*here, "fingerprint"), "not a fingerprint", "copy the 12 digits that `contracts diff` prints"
            )
        )
    try:
        datetime.date.fromisoformat(str(row.get("expires", "2000-01-01")))
    except ValueError:
        found.append(source.problem((*here, "expires"), "not a day", "write it as 2027-01-31"))
    return found
