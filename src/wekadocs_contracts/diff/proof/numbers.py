"""Sets of numbers given by bounds and divisors: a member, or none."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import ceil, floor, gcd

from wekadocs_contracts.diff.proof.strings.regex_parser import Undecided

MAX_TRIES = 2_000
_USUAL = (Fraction(1), Fraction(3, 2), Fraction(0), Fraction(10), Fraction(-1))


class Numbers:
    """What a conjunction says of a number; raises Undecided on anything it does not know."""

    def __init__(self, schema: object) -> None:
        self.low: Fraction | None = None
        self.high: Fraction | None = None
        self.strict_low = self.strict_high = False
        self.steps: list[Fraction] = []
        self.not_steps: list[Fraction] = []
        self.add(schema)

    def add(self, schema: object) -> None:
        if not isinstance(schema, dict):
            raise Undecided("no numeric schema")
        for keyword, value in schema.items():
            match keyword:
                case "type" if value in ("integer", "number"):
                    self.steps += [Fraction(1)] if value == "integer" else []
                case "minimum" | "exclusiveMinimum":
                    self.raise_low(Fraction(str(value)), keyword == "exclusiveMinimum")
                case "maximum" | "exclusiveMaximum":
                    self.drop_high(Fraction(str(value)), keyword == "exclusiveMaximum")
                case "multipleOf":
                    self.steps.append(Fraction(str(value)))
                case "allOf":
                    for part in value:
                        self.add(part)
                case "not" if isinstance(value, dict) and list(value) == ["multipleOf"]:
                    self.not_steps.append(Fraction(str(value["multipleOf"])))
                case _:
                    raise Undecided(keyword)

    def raise_low(self, value: Fraction, strict: bool) -> None:
        if self.low is None or (value, strict) > (self.low, self.strict_low):
            self.low, self.strict_low = value, strict

    def drop_high(self, value: Fraction, strict: bool) -> None:
        if self.high is None or (-value, strict) > (-self.high, self.strict_high):
            self.high, self.strict_high = value, strict

    def holds(self, value: Fraction) -> bool:
        above = self.low is None or value > self.low or (value == self.low and not self.strict_low)
        below = self.high is None or value < self.high or (value == self.high and not self.strict_high)
        multiples = all((value / step).denominator == 1 for step in self.steps)
        return above and below and multiples and all((value / step).denominator != 1 for step in self.not_steps)

    def holds_plain(self, value: float) -> bool:
        return self.holds(Fraction(str(value)))

    def members(self) -> Iterator[Fraction]:
        """Members near zero and near the bounds; none at all only if there is none."""
        candidates = self.multiples() if self.steps else self.anywhere()
        return (value for value in candidates if self.holds(value))

    def multiples(self) -> Iterator[Fraction]:
        step = Fraction(1)
        for number, each in enumerate(self.steps):
            step = each if number == 0 else _lcm(step, each)
        period = Fraction(1)
        for each in self.not_steps:
            period = _lcm(period, _lcm(step, each) / step)
        first, last, up = self.window(step)
        if last is None or last - first > period:
            last = first + int(period)
        if last - first > MAX_TRIES:
            raise Undecided("period too long")
        signs = (first + index if up else -first - index for index in range(max(0, last - first + 1)))
        return (step * index for index in signs)

    def window(self, step: Fraction) -> tuple[int, int | None, bool]:
        """Multiples of `step` from the bound nearest to zero outwards: first, last, and whether upwards."""
        if self.low is None and self.high is not None and self.high < 0:
            return ceil(-self.high / step), None, False
        if self.low is None:
            return 0, None, self.high is None
        return ceil(self.low / step), None if self.high is None else floor(self.high / step), True

    def anywhere(self) -> Iterator[Fraction]:
        yield from islice(filter(self.holds, _USUAL), 1)
        low = self.low if self.low is not None else (self.high or Fraction(0)) - 10
        high = self.high if self.high is not None else low + 20
        yield from (low, high, Fraction(ceil(low)), Fraction(floor(high)))
        for parts in (2, 3, 7, 11, 64):
            yield from (low + (high - low) * part / parts for part in range(1, parts))
        if low < high:
            raise Undecided("some fraction must fit")


def _lcm(first: Fraction, second: Fraction) -> Fraction:
    top = first.numerator * second.denominator
    other = second.numerator * first.denominator
    return Fraction(top * other // gcd(top, other), first.denominator * second.denominator)


def plain(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)
