"""JUnit XML: one case per tool, failed where it breaks or its version is too small."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml

from wekadocs_mcp.diff.model import Change
from wekadocs_mcp.diff.outcome import Outcome
from wekadocs_mcp.diff.words import visible


def write(outcome: Outcome) -> str:
    suite = xml.Element("testsuite", name="contracts diff")
    failed = 0
    for tool in outcome.comparison.tools:
        case = xml.SubElement(suite, "testcase", classname="contracts", name=_clean(tool.label))
        bad = [change for change in tool.changes if change.verdict == "breaking"]
        versions = [check.message for check in outcome.checks if check.tool == tool.label and check.fails]
        if bad or versions:
            failed += 1
            kind = bad[0].rule if bad else "version"
            node = xml.SubElement(case, "failure", type=kind, message=_clean(bad[0].message if bad else versions[0]))
            node.text = _clean("\n".join([*map(_line, bad), *versions]))
    of_tools = {check.message for check in outcome.checks}
    for failure in (each for each in outcome.failures if each not in of_tools):
        failed += 1
        case = xml.SubElement(suite, "testcase", classname="contracts", name="the set")
        xml.SubElement(case, "failure", type="set", message=_clean(failure))
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(failed))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(suite, encoding="unicode")


def _line(change: Change) -> str:
    call = f" {json.dumps(change.witness, ensure_ascii=False)}" if change.witness is not None else ""
    return f"{change.rule} {change.direction} {change.pointer}: {change.message}{call} ({change.fingerprint})"


def _clean(text: str) -> str:
    return visible(text)
