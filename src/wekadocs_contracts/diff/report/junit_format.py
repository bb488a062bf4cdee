"""JUnit XML: one case per tool, failed where it breaks or its version is too small."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml

from wekadocs_contracts.diff.model import Change
from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_contracts.diff.rules.table import RULES
from wekadocs_text import one_line

from .json_format import headline
from .rows import place


def write(outcome: Outcome) -> str:
    suite = xml.Element("testsuite", name=f"contracts diff: {headline(outcome)}")
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
    made = f" {json.dumps(change.witness, ensure_ascii=False)}" if change.witness is not None else ""
    rule = RULES[change.rule]
    where = place(change) or change.pointer
    group = f", group {change.group}" if change.group else ""
    advice = f"why: {rule.reason}; fix: {change.way_out or rule.fix}; {rule.url}"
    return f"{where}: {change.rule} {change.direction}: {change.message}{made}; {advice} ({change.fingerprint}{group})"
