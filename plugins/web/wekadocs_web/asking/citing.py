"""The sentence of a chunk that says most of what is asked, verbatim, with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wekadocs_corpus import fingerprint, terms_of
from wekadocs_web.brief import Citation, Evidence

from .relevance import Weighing
from .sentences import whole_sentences

_LONGEST = 420  # letters
_NO_SENTENCE = re.compile(
    r"#|!\[[^\]\n]*\]\([^)\n]*\)\s*$"  # a heading, a picture
    r"|[ \t>]*\|[^\n]*\n[ \t>]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?:\n|\Z)"  # the head of a table: only names
    r"|[ \t>]*\|(?:[ \t]*:?-*:?[ \t]*\|)+[ \t]*(?:\n|\Z)",  # the rule under it, and a row without a word
    re.M,
)
_BUILT = re.compile(r"[ \t>]*(?:[-*+]\s|\d{1,9}[.)]\s|\||`{3})")  # a list, a table, code
_LINK = re.compile(r"\[[^\[\]]{1,300}\]\([^()\s]{1,2000}\)")
_TRAIL = re.compile(
    r"[^\n.!?\u203a\u00bb]{1,80}(?:\s[\u203a\u00bb]\s[^\n.!?\u203a\u00bb]{1,80}){1,12}"
)  # Home > Guide > Limits


def cited(evidence: Sequence[Evidence], weighings: Sequence[Weighing]) -> list[Citation]:
    """One of each chunk that was found for itself, in their order, each once."""
    found: dict[str, Citation] = {}
    for each in evidence:
        if not each.adjacent and (citation := _best(each, weighings)):
            found.setdefault(citation.text, citation)
    return list(found.values())


def _best(each: Evidence, weighings: Sequence[Weighing]) -> Citation | None:
    spans = [_short(each.text, *span) for span in _with_what_follows(each.text)]
    told = [span for span in spans if not _says_nothing(each.text, *span)]
    if not told:
        return None
    start, end = max(told, key=lambda span: (_worth(each.text[span[0] : span[1]], weighings), -span[0]))
    text = each.text[start:end]
    return Citation(each.url, text, each.start + start, each.start + end, fingerprint(text), each.heading)


def _with_what_follows(text: str) -> list[tuple[int, int]]:
    """Sentences; one that only leads to a list, a table or code goes on with as much of that as is quoted at all."""
    found = list(whole_sentences(text))
    return [(start, _end_with_what_follows(text, found, at)) for at, (start, _) in enumerate(found)]


def _end_with_what_follows(text: str, found: Sequence[tuple[int, int]], at: int) -> int:
    start, end = found[at]
    if _BUILT.match(text, start):
        return end
    for begins, ends in found[at + 1 :]:
        if not _BUILT.match(text, begins) or ends - start > _LONGEST:
            break
        end = ends
    return end


def _says_nothing(text: str, start: int, end: int) -> bool:
    """A heading, a picture, the head of a table, a line of a menu."""
    said = text[start:end]
    bare = _LINK.sub(" ", said)
    menu = bare != said and not any(map(str.isalnum, bare))
    return menu or bool(_TRAIL.fullmatch(said)) or bool(_NO_SENTENCE.match(text, start))


def _short(text: str, start: int, end: int) -> tuple[int, int]:
    """Not longer than anyone quotes; cut at the end of a word."""
    if end - start <= _LONGEST:
        return start, end
    cut = text.rfind(" ", start, start + _LONGEST)
    return start, (cut if cut > start else start + _LONGEST)


def _worth(sentence: str, weighings: Sequence[Weighing]) -> float:
    said = terms_of(sentence)
    return max(sum(share for term, share in each.shares.items() if term in said) for each in weighings)
