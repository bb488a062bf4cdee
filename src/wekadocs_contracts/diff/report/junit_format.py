"""JUnit XML: one case per tool, failed where it breaks or its version is too small."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml

from wekadocs_contracts.diff.model import Change
from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_text import one_line


def write(outcome: Outcome) -> str:
    suite = xml.Element("testsuite", name="contracts diff")
    failed = 0
    for tool in outcome.comparison.tools:
        case = xml.SubElement(suite, "testcase", classname="contracts", name=one_line(tool.label))
        bad = [change for change in tool.changes if change.verdict == "breaking"]
        versions = [check.message for check in outcome.checks if check.tool == tool.label and check.fails]
        if bad or versions:
            failed += 1
            kind = bad[0].rule if bad else "version"
            node = xml.SubElement(case, "failure", type=kind, message=one_line(bad[0].message if bad else versions[0]))
            node.text = "\n".join(one_line(each) for each in (*map(_line, bad), *versions))
    of_tools = {check.message for check in outcome.checks}
    for failure in (each for each in outcome.failures if each not in of_tools):
        failed += 1
        case = xml.SubElement(suite, "testcase", classname="contracts", name="the set")
        xml.SubElement(case, "failure", type="set", message=one_line(failure))
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(failed))
    text = xml.tostring(suite, encoding="unicode").replace("##", "&#35;#")  # `##[…]` is an order to CI systems
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'


def _line(change: Change) -> str:
    call = f" {json.dumps(change.witness, ensure_ascii=False)}" if change.witness is not None else ""
    return f"{change.rule} {change.direction} {change.pointer}: {change.message}{call} ({change.fingerprint})"
