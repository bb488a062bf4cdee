"""Questions that documents should answer, made from their headings."""

from __future__ import annotations

import re
from collections.abc import Iterable

_TASKS = frozenset(
    re.findall(
        r"\w+",
        """
    add build change configure connect create define delete deploy disable enable export import install manage migrate
    mount move publish remove restore run secure set start stop test update upgrade use verify write
""",
    )
)
_GENERAL = frozenset(
    re.findall(
        r"\w+",
        """
    about also changelog conclusion contents example examples front introduction licence license more next notes options
    overview parameters prerequisites reference references requirements see steps summary usage
""",
    )
)
_TRIED = 5


def suggested_questions(headings: Iterable[str]) -> list[str]:
    """The likeliest first: what is done, then what things are; headings that every documentation has are none."""
    plain = [_words(heading) for heading in dict.fromkeys(headings)]
    kept = [words for words in plain if 2 <= len(words) <= 8 and words[0].lower() not in _GENERAL]
    tasks = [f"How do I {_task(words)}?" for words in kept if _is_task(words)]
    things = [f"What is {' '.join(words)}?" for words in kept if not _is_task(words)]
    return [*tasks, *things][:_TRIED]


def _words(heading: str) -> list[str]:
    heading = re.sub(r"^(?:\d+[.)]\s*)+|^how (?:to|do i)\s+", "", heading.strip(), flags=re.I)
    return re.sub(r"[`*?!:]", "", heading).split()


def _verb(word: str) -> str:
    """The verb that a heading begins with: Install, Installing, Configuring; "" if none."""
    word = word.lower()
    stem = word.removesuffix("ing")
    return next((each for each in (word, stem, f"{stem}e", stem[:-1]) if each in _TASKS), "")


def _is_task(words: list[str]) -> bool:
    return bool(_verb(words[0])) and words[1].lower() != "of"  # "Use of the data" is a thing


def _task(words: list[str]) -> str:
    return " ".join([_verb(words[0]), *words[1:]])
