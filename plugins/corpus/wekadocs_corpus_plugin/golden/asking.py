"""One question, asked as a client asks: search, evidence, then more around the quotes while words are missing."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from wekadocs_corpus import tokens
from wekadocs_mcp import StartError

from .questions import Question

Call = Callable[[str, dict[str, Any]], Awaitable[Any]]  # tool, arguments → the host's Outcome
MOST_CALLS = 3  # for an answer: the quotes, and twice more around them


@dataclass
class Asked:
    """What came back for one question, and what it cost."""

    question: Question
    pages: list[str] = field(default_factory=list)  # as the search ranked them
    quoted: list[str] = field(default_factory=list)  # pages among the quotes
    evidence: str = ""  # the quotes of the first answer
    answerable: bool = False
    in_hand: bool = False  # the expected words came, at the latest with the last call
    calls: int = 0  # for the answer, without the search
    size_bytes: int = 0
    text_tokens: int = 0  # of what a model reads
    json_tokens: int = 0
    cursors: int = 0
    truncated: bool = False
    seconds: dict[str, list[float]] = field(default_factory=dict)

    @property
    def rank(self) -> int | None:
        """Of the first page that was expected."""
        wanted = self.question.pages
        return next((at for at, page in enumerate(self.pages, 1) if any(same(page, each) for each in wanted)), None)

    @property
    def hit(self) -> bool:
        return self._has(self.pages)

    @property
    def page_in_evidence(self) -> bool:
        return self._has(self.quoted)

    def _has(self, pages: Sequence[str]) -> bool:
        held = [any(same(page, each) for page in pages) for each in self.question.pages]
        return all(held) if self.question.needs_all else any(held)

    @property
    def unmet(self) -> list[str]:
        """Which of the question's own wishes were not kept."""
        question, wrong = self.question, []
        if question.first and self.rank != 1:
            wrong.append(f"the page came {f'at rank {self.rank}' if self.rank else 'not at all'}, not first")
        if question.max_calls and question.answered and (self.calls > question.max_calls or not self.in_hand):
            wrong.append(f"no answer within {question.max_calls} calls")
        if question.max_bytes and self.size_bytes > question.max_bytes:
            wrong.append(f"{self.size_bytes} bytes, not at most {question.max_bytes}")
        return wrong


def same(path: str, expected: str) -> bool:
    """A page by its path, or by the end of it where the ingested folder was another one."""
    return path == expected or path.endswith(f"/{expected}") or expected.endswith(f"/{path}")


def normal(text: str) -> str:
    return " ".join(text.lower().split())


def keyword_share(question: Question, text: str) -> float:
    had = normal(text)
    return sum(normal(word) in had for word in question.keywords) / max(1, len(question.keywords))


def holds(question: Question, text: str) -> bool:
    """Whether the answer stands in it; without one, all the keywords."""
    if question.answer is not None:
        return normal(question.answer) in normal(text)
    return keyword_share(question, text) == 1.0 if question.keywords else True


async def ask(call: Call, question: Question) -> Asked:
    asked = Asked(question)
    await _search(call, asked)
    await _answer(call, asked)
    return asked


async def _search(call: Call, asked: Asked) -> None:
    """The list as it comes by default; cursors are followed to its end."""
    arguments: dict[str, Any] = {"query": asked.question.text}
    while True:
        answer = await _timed(call, asked, "kb.search", arguments)
        asked.pages += [row["path"] for row in answer["results"]]
        asked.truncated |= answer["limit_reason"] in ("token_cap", "byte_cap")
        if answer["next_cursor"] is None:
            return
        asked.cursors += 1
        arguments = {**arguments, "cursor": answer["next_cursor"]}


async def _answer(call: Call, asked: Asked) -> None:
    question = asked.question
    answer = await _timed(call, asked, "kb.retrieve_evidence", {"question": question.text}, counts=True)
    asked.answerable = answer["answerable"]
    asked.truncated |= answer["partial"]
    asked.quoted = list(dict.fromkeys(quote["path"] for quote in answer["quotes"]))
    asked.evidence = text = "\n".join(quote["quote"] for quote in answer["quotes"])
    asked.in_hand = holds(question, text)
    passages = list(dict.fromkeys(quote["passage_id"] for quote in answer["quotes"]))
    for passage in passages if question.answered else ():
        if asked.in_hand or asked.calls == MOST_CALLS:
            return
        more = await _timed(call, asked, "kb.expand_excerpt", {"passage_id": passage}, counts=True)
        text = f"{text}\n{more['excerpt']}"
        asked.in_hand = holds(question, text)


async def _timed(call: Call, asked: Asked, tool: str, arguments: dict[str, object], counts: bool = False) -> Any:
    began = time.perf_counter()
    outcome = await call(tool, arguments)
    asked.seconds.setdefault(tool, []).append(time.perf_counter() - began)
    if outcome.error is not None:
        error = outcome.error["error"]
        raise StartError([f"{tool} refused question `{asked.question.id}`: {error['code']}: {error['message']}"])
    if counts:
        asked.calls += 1
        asked.size_bytes += outcome.size
        asked.text_tokens += tokens.count(outcome.content[0]["text"])
        asked.json_tokens += tokens.count(json.dumps(outcome.data, ensure_ascii=False, separators=(",", ":")))
    return outcome.data if outcome.data is not None else json.loads(outcome.content[0]["text"])
