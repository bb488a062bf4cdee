"""Our verdicts beside those of oasdiff and jsonsubschema, on the same pairs; every disagreement with its cause.

python bench/diff/run.py [--random N] [--rows] [--write]
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import rivals  # noqa: E402
from pairs import Pair, labelled, randoms, refuted  # noqa: E402

from wekadocs_contracts.diff.model import Change  # noqa: E402
from wekadocs_contracts.diff.proof.exemption import exemption  # noqa: E402
from wekadocs_contracts.diff.proof.normal.normalise import normalise  # noqa: E402
from wekadocs_contracts.diff.rules import walk  # noqa: E402
from wekadocs_contracts.diff.schema_pair import schema_changes  # noqa: E402

PAGE = HERE.parent.parent / "docs" / "explanation" / "contract-diff.md"
BEGIN, END = "<!-- bench/diff/run.py writes this table -->\n", "<!-- until here -->\n"
UNEXPLAINED = "UNEXPLAINED"


@dataclass(frozen=True)
class Judged:
    pair: Pair
    rows: list[Change]

    @property
    def breaking(self) -> list[Change]:
        return [row for row in self.rows if row.verdict == "breaking"]

    @property
    def verdict(self) -> str:
        return "breaking" if self.breaking else "safe"

    @property
    def is_open(self) -> bool:
        return any(row.proof == "unproven" for row in self.rows)

    def cause(self, answer: str) -> str:
        """Why the other tool says something else; ours rests on a proof, a confirmed call or a written rule."""
        if answer.startswith("error"):
            return f"gives no answer: {answer[7:]}"
        if self.is_open:
            return "we could not prove it, and say so"
        if answer == "safe":
            return self._missed()
        return self._false_alarm()

    def _missed(self) -> str:
        shown = [row for row in self.breaking if row.proof == "witness"]
        if shown:
            return f"misses a call that fails: {_keyword(shown[0].rule)}"
        return f"knows no such rule: {self.breaking[0].rule}" if self.breaking else UNEXPLAINED

    def _false_alarm(self) -> str:
        if not any(row.proof in ("empty-difference", "congruence") for row in self.rows) and self.rows:
            docs = {row.rule for row in self.rows}
            return f"alarms at what we call {self.rows[0].verdict}: {', '.join(sorted(docs))}"
        if refuted(self.pair):
            return UNEXPLAINED
        values, judge = normalise(self.pair.values, "v").schema, normalise(self.pair.judge, "j").schema
        if exemption(values, judge) is not None:
            return "knows no exemption: a new optional name in an open object"
        found = sorted({_keyword(each.rule) for each in walk.compare(self.pair.old, self.pair.new)})
        return f"raises a false alarm: {found[0] if len(found) == 1 else 'another spelling'}"


def _keyword(rule: str) -> str:
    return re.sub(r"-(narrowed|widened|changed|added|removed|closed)", "", rule)


def judged(pairs: list[Pair]) -> list[Judged]:
    return [Judged(pair, schema_changes(pair.old, pair.new, pair.direction)) for pair in pairs]


def main() -> None:
    options = _options()
    pairs = [*labelled(), *randoms(options.random)]
    ours = judged(pairs)
    wrong = [each.pair.id for each in ours if each.pair.label not in (None, each.verdict)]
    tables = []
    unexplained: list[str] = []
    for name, answers in (
        ("oasdiff 1.15", rivals.oasdiff(pairs)),
        ("jsonsubschema 0.0.8", rivals.jsonsubschema(pairs)),
    ):
        tables.append(_table(name, ours, answers))
        differing = [(each, answer) for each, answer in zip(ours, answers, strict=True) if answer != each.verdict]
        unexplained += [f"{name}: {each.pair.id}" for each, answer in differing if each.cause(answer) == UNEXPLAINED]
        if options.rows:
            for each, answer in differing:
                print(name, each.pair.id, f"{answer} / {each.verdict}", each.cause(answer), sep="  ")
    still_open = sum(each.is_open for each in ours)
    text = f"{len(pairs)} pairs, {options.random} of them random; {still_open} of ours not proven.\n\n" + "\n".join(
        tables
    )
    print(text)
    print(f"against the labels: {len(wrong)} wrong {wrong}; unexplained: {len(unexplained)} {unexplained}")
    if options.write:
        _write(text)
    sys.exit(1 if wrong or unexplained else 0)


def _table(name: str, ours: list[Judged], answers: list[str]) -> str:
    counted: dict[tuple[str, str], Counter[str]] = {}
    for each, answer in zip(ours, answers, strict=True):
        if answer != each.verdict:
            cause, _, what = each.cause(answer).partition(": ")
            counted.setdefault((cause, f"{answer.split(':')[0]} / {each.verdict}"), Counter())[what] += 1
    agreed = sum(answer == each.verdict for each, answer in zip(ours, answers, strict=True))
    rows = [
        f"| {name} agrees on {agreed} of {len(ours)}; else it | theirs / ours | pairs | which |",
        "|---|---|---|---|",
    ]
    for (cause, how), which in sorted(counted.items(), key=lambda item: -item[1].total()):
        rows.append(f"| {cause} | {how} | {which.total()} | {_listed(which)} |")
    return "\n".join(rows) + "\n"


def _listed(which: Counter[str]) -> str:
    shown = [f"{what} {count}" for what, count in which.most_common(8) if what]
    rest = sum(count for _, count in which.most_common()[8:])
    return ", ".join([*shown, *([f"others {rest}"] if rest else [])])


def _write(text: str) -> None:
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2], "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--random", type=int, default=400, metavar="N", help="how many random pairs")
    parser.add_argument("--rows", action="store_true", help="every disagreement on a line of its own")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/explanation/contract-diff.md")
    return parser.parse_args()


main()
