"""The bump a change demands against the bump that was made, per tool and for the whole set."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from . import places
from .compare import Comparison, ToolResult, worst
from .model import Change, Verdict

Bump = Literal["down", "none", "patch", "minor", "major"]
State = Literal["ok", "too small", "too big", "down"]
_SIZE: dict[Bump, int] = {"down": -1, "none": 0, "patch": 1, "minor": 2, "major": 3}
_DEMANDED: dict[Verdict, Bump] = {"breaking": "major", "additive": "minor", "docs": "patch", "none": "none"}
_PARTS = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([^+]*))?")


@dataclass(frozen=True)
class VersionCheck:
    tool: str
    before: str
    after: str | None
    required: Bump
    found: Bump | None
    needed: str
    state: State
    message: str = ""
    file: str | None = None
    line: int | None = None

    @property
    def fails(self) -> bool:
        return self.state in ("too small", "down")


def numbers(version: str) -> tuple[int, int, int]:
    match = _PARTS.match(version)
    assert match is not None, version
    return int(match[1]), int(match[2]), int(match[3])


def _precedence(version: str) -> tuple[tuple[int, int, int], bool, list[tuple[bool, int, str]]]:
    """As semver orders: numerically, and a pre-release before its release."""
    match = _PARTS.match(version)
    parts = match[4].split(".") if match and match[4] else []
    rest = [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]
    return numbers(version), not parts, rest


def is_pre_release(version: str) -> bool:
    match = _PARTS.match(version)
    return bool(match and match[4])


def demanded(verdict: Verdict, before: str) -> Bump:
    """0.x promises less: breaking and additive both take a minor; a pre-release promises nothing but an order."""
    bump = _DEMANDED[verdict]
    if is_pre_release(before):
        return "patch" if bump != "none" else "none"
    return "minor" if bump == "major" and numbers(before)[0] == 0 else bump


def found(before: str, after: str) -> Bump:
    if _precedence(after) < _precedence(before):
        return "down"
    old, new = numbers(before), numbers(after)
    for index, bump in enumerate(("major", "minor", "patch")):
        if old[index] != new[index]:
            return bump  # type: ignore[return-value]
    return "none" if _precedence(after) == _precedence(before) else "patch"


def is_met(change: Change) -> bool:
    """Whether the version that was found is large enough for this row."""
    made, needed = change.bump_found, change.bump_required
    return made is not None and needed is not None and _SIZE[made] >= _SIZE[needed]  # type: ignore[index]


def bumped(version: str, bump: Bump) -> str:
    major, minor, patch = numbers(version)
    if is_pre_release(version):
        return f"{major}.{minor}.{patch}"  # its release comes after it
    return {
        "major": f"{major + 1}.0.0",
        "minor": f"{major}.{minor + 1}.0",
        "patch": f"{major}.{minor}.{patch + 1}",
    }.get(bump, f"{major}.{minor}.{patch}")


def counted(changes: Iterable[Change], allow_unproven: bool) -> Verdict:
    """What a version has to answer for: what is proven, and as additive what was allowed without proof."""
    unproven: Verdict = "additive" if allow_unproven else "none"
    return worst(unproven if row.proof == "unproven" else row.verdict for row in changes)


def check(
    tool: ToolResult, allow_unproven: bool = False, known: frozenset[tuple[str, int | None]] = frozenset()
) -> VersionCheck | None:
    """None where a side has no version: it demands none. `known`: the names and majors that are there now."""
    old, new = tool.old, tool.new
    if old is None or new is None or old.version is None or new.version is None:
        return None
    required = demanded(counted(tool.changes, allow_unproven), old.version)
    made = found(old.version, new.version)
    needed = bumped(old.version, required)
    state = _state(required, made, old.version, new.version)
    line = None if state == "ok" else places.line_of(new, "/version")
    return VersionCheck(
        tool.label,
        old.version,
        new.version,
        required,
        made,
        needed,
        state,
        _message(tool, state, needed, required, known),
        new.file,
        line,
    )


def _state(required: Bump, made: Bump, before: str, after: str) -> State:
    if made == "down":
        return "down"
    if _SIZE[made] < _SIZE[required]:
        return "too small"
    leaving_zero = numbers(before)[0] == 0 and numbers(after)[0] > 0
    free = leaving_zero or is_pre_release(before)
    return "too big" if _SIZE[made] > _SIZE[required] and not free else "ok"


def _message(
    tool: ToolResult, state: State, needed: str, required: Bump, known: frozenset[tuple[str, int | None]]
) -> str:
    assert tool.old is not None and tool.new is not None
    before, after = tool.old.version, tool.new.version
    if state == "down":
        return f"{tool.label}: version went down, {before} → {after}; write {needed} or higher"
    if state == "too small" and not tool.new.served:
        return f"{tool.label} is disabled, which no version makes right: deprecate it, or accept it by its fingerprint"
    if state == "too small" and required == "major" and tool.new.carries:
        return _beside(tool.new.name, f"{tool.label} needs {needed} (is {after})", needed, known)
    if state == "too small":
        return f"{tool.label} needs {needed} (is {after}): a {required} bump (contracts diff --fix writes it)"
    return f"{tool.label}: {before} → {after} is more than the change asks for ({needed})" if state == "too big" else ""


def _beside(name: str, needs: str, needed: str, known: frozenset[tuple[str, int | None]]) -> str:
    stem = name.rsplit(".", 1)[-1]
    major = int(needed.split(".", maxsplit=1)[0])
    kept = f"{needs}: {stem}.v{major - 1}.yaml is published, so leave it as it was"
    if (name, major) in known:
        return f"{kept}; {stem}.v{major}.yaml is beside it already: the change belongs there, or into a later one"
    return (
        f"{kept} and make {stem}.v{major}.yaml beside it with version {needed} and status: beta (contracts diff --fix "
        f"does it); made stable, it takes the bare name, which breaks whoever calls that"
    )


def check_set(comparison: Comparison, allow_unproven: bool = False) -> VersionCheck | None:
    """For the release as a whole, where the base is a release tag."""
    before, after = comparison.base.release, comparison.head.release
    if before is None:
        return None
    required = demanded(counted(comparison.changes, allow_unproven), before)
    needed = bumped(before, required)
    if after is None:
        return VersionCheck("", before, None, required, None, needed, "ok", f"the next release is at least {needed}")
    made = found(before, after)
    state = _state(required, made, before, after)
    message = "" if state == "ok" else f"the release {after} after {before} should be {needed}"
    return VersionCheck("", before, after, required, made, needed, state, message)


def with_bumps(tool: ToolResult, checked: VersionCheck | None) -> ToolResult:
    """Every row with what it alone demands, and what was found."""
    version = tool.old.version if tool.old else None
    if version is None:
        return tool
    rows = []
    for row in tool.changes:
        made = checked.found if checked else None
        rows.append(replace(row, bump_required=demanded(row.verdict, version), bump_found=made))
    return replace(tool, changes=tuple(rows))
