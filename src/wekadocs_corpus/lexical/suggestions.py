"""Questions that documents should answer, made from their headings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

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
_THINGS_TOO = frozenset(
    re.findall(r"\w+", "build change export import mount move restore run set start stop test update upgrade use")
)
_TRIED = 5
_NUMBER = re.compile(r"^(?:\d+[.)]\s*)+")
_HOW = re.compile(r"^how (?:to|do i)\s+", re.I)
_SINCE = re.compile(r"\s+(?:\([^()]*\)|v?\d+(?:\.\d+)+\+?)\Z")  # which version


def suggested_questions(headings: Iterable[str]) -> list[str]:
    """The likeliest first: what is done, then what things are; headings that every documentation has are none."""
    plain = [_words(heading) for heading in dict.fromkeys(headings)]
    kept = [words for words in plain if 2 <= len(words) <= 8 and words[0].lower() not in _GENERAL]
    tasks = [words for words in kept if _is_task(words)]
    asked = [f"How do I {_task(words)}?" for words in sorted(tasks, key=_may_be_a_thing)]
    things = [f"What is {' '.join(words)}?" for words in kept if not _is_task(words)]
    sure = len(tasks) - sum(map(_may_be_a_thing, tasks))
    return [*asked[:sure], *things, *asked[sure:]][:_TRIED]


def _words(heading: str) -> list[str]:
    heading = _HOW.sub("", _NUMBER.sub("", _SINCE.sub("", heading.strip()), count=1), count=1)
    return re.sub(r"[`*?!:]", "", heading).split()


def _may_be_a_thing(words: list[str]) -> bool:
    """Of two words: "Change history", "Test command"."""
    return len(words) == 2 and words[0].lower() in _THINGS_TOO


def _verb(word: str) -> str:
    """The verb that a heading begins with: Install, Installing, Configuring; "" if none."""
    word = word.lower()
    stem = word.removesuffix("ing")
    forms = (word,) if stem == word else (stem, f"{stem}e", stem[:-1])  # adding, writing, running
    return next((each for each in forms if each in _TASKS), "")


def _is_task(words: list[str]) -> bool:
    return bool(_verb(words[0])) and words[1].lower() != "of"  # "Use of the data" is a thing


def _task(words: list[str]) -> str:
    """Each verb as a question has it: "Enabling and disabling verification"."""
    after = [_verb(word) or word if before in ("and", "or") else word for before, word in pairwise(words)]
    return " ".join([_verb(words[0]), *after])
