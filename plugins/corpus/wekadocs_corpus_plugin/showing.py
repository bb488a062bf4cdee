"""What `ask` and `search` print: readable, with the source of every line; what strangers wrote cannot give orders."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import click

from wekadocs_text import one_line, printed

_CODE = re.compile(r"`[^`\n]+`")
_SEARCH_TOOL = re.compile(r"\bkb[._]search\b")
_NEAR = 0.1  # where the documents do not answer, what is below it only fills the screen
_SURE = 0.7  # from here on an answer is shown in green, below it in yellow


def coloured() -> bool:
    """https://no-color.org; click itself only looks at the terminal."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def answer(found: dict[str, Any]) -> str:
    lines = [_verdict(found)]
    if found.get("hint"):
        lines.append(_hint(found["hint"]))
    shown = found["quotes"] if found["answerable"] else _nearest(found["quotes"])
    if shown and not found["answerable"]:
        lines.append("Nearest:")
    for number, quotes in enumerate(_by_passage(shown), 1):
        lines += ["", *_source(number, quotes[0], max(quote["confidence"] for quote in quotes))]
        lines += [line for quote in quotes for line in ("", *_quoted(quote))]
    return "\n".join([*lines, *_lessened(found, found.get("diagnostics", {}).get("degraded"))])


def results(found: dict[str, Any]) -> str:
    lines = [] if found["results"] else ["Nothing found."]
    for row in found["results"]:
        lines += [*_source(row["rank"], row), *_indented(row["preview"]), ""]
    if found.get("hint"):
        lines.append(_hint(found["hint"]))
    if found.get("next_cursor"):
        lines.append("There is more: ask for it with -n.")
    return "\n".join([*lines, *_lessened(found, found.get("degraded"))]).rstrip("\n")


def _hint(said: str) -> str:
    """A person at a terminal types the command, where an agent calls the tool."""
    return printed(_SEARCH_TOOL.sub("`wekadocs-mcp search`", said))


def _verdict(found: dict[str, Any]) -> str:
    if not found["answerable"]:
        return click.style("The documents do not seem to answer this.", fg="yellow", bold=True)
    sure = found.get("answer_confidence")
    if sure is None:
        return click.style("Answered.", fg="green", bold=True)
    text = f"Answered: {sure:.0%} of answers like this one hold the answer."
    return click.style(text, fg="green" if sure >= _SURE else "yellow", bold=True)


def _nearest(quotes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for each in quotes if each["confidence"] >= _NEAR] or quotes[:1]


def _by_passage(quotes: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Quotes of one passage together, as they follow each other in it."""
    for passage in dict.fromkeys(quote["passage_id"] for quote in quotes):
        of_it = [quote for quote in quotes if quote["passage_id"] == passage]
        yield sorted(of_it, key=lambda quote: quote.get("start") or 0)


def _source(number: int, row: dict[str, Any], confidence: float | None = None) -> list[str]:
    anchor = f"#{row['anchor']}" if row.get("anchor") else ""
    where = [row.get("url") or f"{row.get('path') or ''}{anchor}", *_place(row)]
    if confidence is not None:
        where.append(f"confidence {confidence:.0%}")
    title = click.style(f"{number}. {printed(one_line(row['title']))}", bold=True)
    return [title, "   " + click.style(printed(one_line(" · ".join(where))), fg="cyan")]


def _place(row: dict[str, Any]) -> list[str]:
    """Where in the document: the page as it is printed on it, or the lines of the file."""
    if row.get("pages"):
        labels = row.get("page_labels") or row["pages"]
        return ["p. " + "-".join(dict.fromkeys(str(each) for each in labels))]
    if row.get("source_lines"):
        first, last = row["source_lines"][0], row["source_lines"][-1]
        return [f"line {first}" if first == last else f"lines {first}-{last}"]
    return []


def _quoted(quote: dict[str, Any]) -> list[str]:
    header = f"{quote['header']}\n" if quote.get("header") else ""
    return _indented(header + quote["quote"])


def _indented(text: str) -> list[str]:
    return [("   " + _marked(line)).rstrip() for line in printed(text).split("\n")]


def _marked(line: str) -> str:
    """Headings and code as a terminal can show them; the words stay as they are written."""
    if line.startswith("#"):
        return click.style(line, bold=True)
    return _CODE.sub(lambda match: click.style(match[0], fg="green"), line)


def _lessened(found: dict[str, Any], degraded: list[str] | None) -> list[str]:
    """A lesser answer says so."""
    lines = ["", f"Less than asked for: {printed(one_line('; '.join(degraded)))}"] if degraded else []
    if found.get("partial") and found.get("limit_reason") in ("token_cap", "byte_cap"):
        lines += ["", "Shortened to fit its budget."]
    return lines
