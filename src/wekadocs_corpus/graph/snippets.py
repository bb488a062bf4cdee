"""A line or two of a node's text, from the truth: the graph itself holds none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wekadocs_corpus.evidence.sentences import sentences
from wekadocs_corpus.model import Scope

from .interface import SectionMention

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import NodeSpan

MOST = 200  # characters
_WINDOW = 2_000


def of_nodes(truth: Truth, ids: Sequence[str], scope: Scope) -> dict[str, str]:
    """How the text of each document, section and chunk in scope begins, headings aside; entities have none."""
    spans = truth.node_spans(ids, scope)
    texts = truth.texts([each.document_id for each in spans])
    return {
        each.node_id: _opening(_begin(texts[each.document_id], each)) for each in spans if each.document_id in texts
    }


def of_mentions(truth: Truth, mentions: Sequence[SectionMention], scope: Scope) -> dict[int, str]:
    """By number in the list: how a definition's text begins, the sentence around the first evidence of a mention."""
    openings = of_nodes(truth, [mention.node.id for mention in mentions if mention.type == "DEFINES"], scope)
    ids = {mention.node.document_id for mention in mentions if mention.type != "DEFINES"}
    texts = truth.texts(list(ids))
    found = {number: _of_mention(mention, openings, texts) for number, mention in enumerate(mentions)}
    return {number: text for number, text in found.items() if text}


def _begin(text: str, span: NodeSpan) -> str:
    return text[span.start : min(span.end, span.start + _WINDOW)]


def _of_mention(mention: SectionMention, openings: Mapping[str, str], texts: Mapping[str, str]) -> str:
    text = texts.get(mention.node.document_id)
    if mention.type == "DEFINES" or not text or not mention.evidence:
        return openings.get(mention.node.id, "")
    return _around(text, *mention.evidence[0])


def _opening(text: str) -> str:
    spans = sentences(text)
    telling = [span for span in spans if not text.startswith(("#", "---"), span[0])]
    return clipped(" ".join(" ".join(text[start:end].split()) for start, end in telling or spans))


def _around(text: str, start: int, end: int) -> str:
    low = max(0, start - _WINDOW // 2)
    window = text[low : end + _WINDOW // 2]
    for first, last in sentences(window):
        if first <= start - low < last:
            far = start - low - first > MOST - 40  # the evidence itself must be seen
            return clipped(" ".join(window[start - low - 60 if far else first : last].split()))
    return clipped(" ".join(window[start - low :].split()))


def clipped(text: str) -> str:
    return text if len(text) <= MOST else text[: MOST - 1].rstrip() + "…"
