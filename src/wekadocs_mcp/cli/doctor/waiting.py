"""Plugins that could not start because another one could not: the reason is told once."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from wekadocs_mcp.plugins.health import Finding

_COULD_NOT = re.compile(r"plugin `[^`]+` could not start: ")


@contextmanager
def quiet_starts() -> Iterator[None]:
    """What would be warned of is among the findings."""
    log = logging.getLogger("wekadocs.plugins")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


def told_once(findings: Sequence[Finding]) -> list[Finding]:
    """Of plugins with one reason the first has it; the others wait for that one."""
    told: list[Finding] = []
    first: dict[str, str] = {}  # reason → who told it
    for each in findings:
        why = _COULD_NOT.sub("", each.note)
        if each.state != "broken" or why == each.note:
            told.append(each)
        elif why in first:
            told.append(replace(each, note=f"waits for plugin {first[why]}", fix=f"mend plugin {first[why]}"))
        else:
            first[why] = each.what
            told.append(replace(each, note=f"could not start: {why}"))
    return told
