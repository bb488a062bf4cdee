"""Words about tools that are not served here: the sentence, clause or parenthesis that names one is left out."""

from __future__ import annotations

import re

ABSENT = "\0"  # stands in a rendered text where a tool would be named that is not served
_PARENTHESIS = re.compile(r"\s*\([^()]*\0[^()]*\)")
_SENTENCES = re.compile(r"(?<=[.!?…])\s+")
_END = ".!?…"


def without_absent(text: str) -> str:
    """What is left of it; empty where nothing is."""
    if ABSENT not in text:
        return text
    lines = (_line(line) for line in _PARENTHESIS.sub("", text).split("\n"))
    return "\n".join(line for line in lines if line is not None)


def _line(line: str) -> str | None:
    if ABSENT not in line:
        return line
    kept = [each for sentence in _SENTENCES.split(line) if (each := _sentence(sentence))]
    return " ".join(kept) or None


def _sentence(sentence: str) -> str:
    if ABSENT not in sentence:
        return sentence
    clauses = [clause for clause in sentence.rstrip(_END).split("; ") if ABSENT not in clause]
    if not clauses:
        return ""
    text = "; ".join(clauses)
    end = sentence[-1] if sentence[-1] in _END else ""
    return (text[0].upper() if sentence[0].isupper() else text[0]) + text[1:] + end


def or_another(text: str) -> str:
    """For a part that cannot be left out whole."""
    return without_absent(text).strip() or text.replace(f"`{ABSENT}`", ABSENT).replace(ABSENT, "another tool")
