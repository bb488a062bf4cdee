"""A question as it is asked of the documents: mistyped words as they are spelt there, acronyms spelled out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wekadocs_kit import corpus_errors

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.chooser import Chooser
    from wekadocs_mcp import Call

    from .state import KbState

WORDS = 6  # of a question that are looked up because no document has them
_DEFINING = 10  # passages looked through for what an acronym stands for
_REMEMBERED = 1000  # acronyms
_ALONE = r"(?<![\w./:@`-]){}(?![\w/:@`-]|\.\w|\(\))"  # a part of an identifier is none


async def read_question(call: Call[KbState], question: str, *, rewrite: bool = True) -> tuple[Chooser, str]:
    """The question as it is asked of the documents, and what was read differently from how it is written."""
    choose = await call.state.chooser(question, call.scope)
    if not rewrite:
        return choose, ""
    asked, note = await _mended(call, choose)
    asked = await _spelled_out(call, asked)
    return choose if asked == question else await call.state.chooser(asked, call.scope), note


async def _mended(call: Call[KbState], choose: Chooser) -> tuple[str, str]:
    """The question with words that no document has as the headings spell them, where a letter makes the difference.

    A word with a capital may be a name that these documents do not know.
    """
    words = [word for word in choose.unknown_words()[:WORDS] if word.islower()]
    question = choose.question
    if not words:
        return question, ""
    from wekadocs_corpus.retrieval import vocabulary  # few questions need it

    corpus = call.state.corpus
    with corpus_errors():
        meant = await corpus.in_thread(vocabulary.mistyped, corpus.truth, call.scope, words)
    read = []
    for word, known in meant.items():
        question, times = re.subn(_ALONE.format(re.escape(word)), known, question)
        read += [f"Read {word!r} as {known!r}."] if times else []
    return question, " ".join(read)


async def _spelled_out(call: Call[KbState], question: str) -> str:
    """The question with what its acronyms stand for in these documents."""
    from wekadocs_corpus.retrieval import acronyms

    named = acronyms.acronyms(question)
    if not named:
        return question
    corpus = call.state.corpus
    with corpus_errors():
        now = await corpus.in_thread(corpus.truth.sequence)
        found = [await _meaning(call, acronym, now) for acronym in named]
    meanings = [each for each in found if each and each.lower() not in question.lower()]
    return f"{question} ({'; '.join(meanings)})" if meanings else question


async def _meaning(call: Call[KbState], acronym: str, now: int) -> str | None:
    """Looked up once for each state of the documents."""
    from wekadocs_corpus.model import Filters
    from wekadocs_corpus.retrieval.acronyms import spelled_out

    scope, meanings = call.scope, call.state.meanings
    known, meaning = meanings.get((scope, acronym), (-1, None))
    if known != now:
        found = await call.state.corpus.retrieve(acronym, scope, Filters(), _DEFINING, "words", rewrite=False)
        meaning = spelled_out(acronym, [each.passage.text for each in found.candidates])
        if len(meanings) >= _REMEMBERED:
            meanings.clear()
        meanings[scope, acronym] = now, meaning
    return meaning
