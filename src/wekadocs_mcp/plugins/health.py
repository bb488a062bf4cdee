"""What a health check found, as doctor, /readyz and plugins' own checks say it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Finding:
    """`ok`, `warning` or `broken`; only broken makes doctor's exit code 1 and a server not ready."""

    state: str
    what: str
    note: str
    fix: str = ""
    told: str = ""  # what anybody may know instead of the note, where that is for the operator alone

    @property
    def ok(self) -> bool:
        return self.state != "broken"


def findings(name: str, result: Finding | Iterable[Finding] | str | None) -> list[Finding]:
    """A check returns nothing, a note, or findings; what each is about is put behind the check's name."""
    if result is None or isinstance(result, str):
        return [Finding("ok", name, result or "ok")]
    found = [result] if isinstance(result, Finding) else list(result)
    return [replace(each, what=f"{name}.{each.what}" if each.what else name) for each in found]
