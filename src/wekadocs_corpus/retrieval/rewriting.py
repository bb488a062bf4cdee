"""A question as the documents would put it: mistyped words as they spell them, acronyms with what these stand for,
synonyms beside what they say.

An acronym means what the documents themselves say: "Snap-To-Object (STO)".
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .question import acronyms

if TYPE_CHECKING:
    from wekadocs_corpus.model import Scope
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.tuning import RewritingTuning

    from .question import Question

InThread = Callable[..., Awaitable[Any]]  # a function and its arguments → what it returns
TextsAbout = Callable[[str, "Question"], Awaitable[Sequence[str]]]  # a word of a question → the best texts for it

_REMEMBERED = 1000  # acronyms
_ALONE = r"(?<![\w./:@`-]){}(?![\w/:@`-]|\.\w|\(\))"  # a part of an identifier is none
_WORD = re.compile(r"[^\W_]+")


class Rewriting:
    """Remembers what acronyms stand for, for each state of the documents."""

    def __init__(self, truth: Truth, in_thread: InThread, texts_about: TextsAbout) -> None:
        self._truth, self._in_thread, self._texts_about = truth, in_thread, texts_about
        self._meanings: dict[tuple[Scope, str], tuple[int, str | None]] = {}

    async def __call__(self, question: Question, synonyms: Sequence[str] = ()) -> tuple[str, str]:
        """Its text as it is to be asked, and what was read differently, in words for the caller."""
        text, note = await self._mended(question)
        return await self._spelled_out(text, question, synonyms), note

    async def _mended(self, question: Question) -> tuple[str, str]:
        """Words that no document has as the headings spell them, where a letter makes the difference.

        A word with a capital may be a name that these documents do not know.
        """
        words = [word for word in question.unknown_words[: question.tuning.rewriting.most_words] if word.islower()]
        text = question.text
        if not words:
            return text, ""
        from .vocabulary import mistyped  # few questions need it

        meant: dict[str, str] = await self._in_thread(mistyped, self._truth, question, words)
        read = []
        for word, known in meant.items():
            text, times = re.subn(_ALONE.format(re.escape(word)), known, text)
            read += [f"Read {word!r} as {known!r}."] if times else []
        return text, " ".join(read)

    async def _spelled_out(self, text: str, question: Question, synonyms: Sequence[str]) -> str:
        found = [*synonyms, *await self._acronyms(text, question)]
        meanings = [each for each in dict.fromkeys(found) if each.lower() not in text.lower()]
        return f"{text} ({'; '.join(meanings)})" if meanings else text

    async def _acronyms(self, text: str, question: Question) -> list[str]:
        """What those in the text stand for."""
        named = acronyms(text, question.tuning.asking)
        if not named:
            return []
        now: int = await self._in_thread(self._truth.sequence)
        found = [await self._meaning(acronym, question, now) for acronym in named]
        return [each for each in found if each]

    async def _meaning(self, acronym: str, question: Question, now: int) -> str | None:
        scope, tuning = question.scope, question.tuning.rewriting
        known, meaning = self._meanings.get((scope, acronym), (-1, None))
        if known != now:
            meaning = spelled_out(acronym, await self._texts_about(acronym, question), tuning)
            if len(self._meanings) >= _REMEMBERED:
                self._meanings.clear()
            self._meanings[scope, acronym] = now, meaning
        return meaning


def spelled_out(acronym: str, texts: Iterable[str], tuning: RewritingTuning) -> str | None:
    """The first definition among the texts."""
    mark = f"({acronym})"
    for text in texts:
        at = text.find(mark)
        while at >= 0:
            words = _initials(acronym, _WORD.findall(text[max(0, at - 120) : at]), tuning.small_words)
            if words:
                return " ".join(words)
            at = text.find(mark, at + 1)
    return None


def _initials(acronym: str, before: list[str], small: frozenset[str]) -> list[str]:
    """The last words before the brackets whose initials are the acronym, with or without the small ones."""
    for count in range(len(acronym), min(len(before), len(acronym) + 3) + 1):
        words = before[-count:]
        telling = [word for word in words if word.lower() not in small]
        if acronym.lower() in (_first(words), _first(telling)):
            return words
    return []


def _first(words: Iterable[str]) -> str:
    return "".join(word[0] for word in words).lower()
