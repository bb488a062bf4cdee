"""The sentence of a chunk that says most of what is asked, verbatim, with its place."""

from __future__ import annotations

from collections.abc import Sequence

from wekadocs_corpus import fingerprint, sentences, terms_of
from wekadocs_web.brief import Citation, Evidence

from .relevance import Weighing

_LONGEST = 420  # letters


def cited(evidence: Sequence[Evidence], weighings: Sequence[Weighing]) -> list[Citation]:
    """One of each chunk that was found for itself, in their order, each once."""
    found: dict[str, Citation] = {}
    for each in evidence:
        if not each.adjacent and (citation := _best(each, weighings)):
            found.setdefault(citation.text, citation)
    return list(found.values())


def _best(each: Evidence, weighings: Sequence[Weighing]) -> Citation | None:
    spans = [_short(each.text, *span) for span in sentences(each.text)]
    told = [span for span in spans if not each.text.startswith(("#", "!["), span[0])]
    if not told:
        return None
    start, end = max(told, key=lambda span: (_worth(each.text[span[0] : span[1]], weighings), -span[0]))
    text = each.text[start:end]
    return Citation(each.url, text, each.start + start, each.start + end, fingerprint(text), each.heading)


def _short(text: str, start: int, end: int) -> tuple[int, int]:
    """Not longer than anyone quotes; cut at the end of a word."""
    if end - start <= _LONGEST:
        return start, end
    cut = text.rfind(" ", start, start + _LONGEST)
    return start, (cut if cut > start else start + _LONGEST)


def _worth(sentence: str, weighings: Sequence[Weighing]) -> float:
    said = terms_of(sentence)
    return max(sum(share for term, share in each.shares.items() if term in said) for each in weighings)
