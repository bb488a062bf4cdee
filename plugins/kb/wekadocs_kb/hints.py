"""What to try when nothing was found: the filter that keeps it out, the name that was meant, the tags there are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from wekadocs_kit import FilterArguments, corpus_errors, find

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus, Question, Scope
    from wekadocs_mcp import Call

    from .state import KbState

_TAGS = 8


async def nothing_found(call: Call[KbState], question: Question, filters: FilterArguments | None) -> str:
    corpus = call.state.corpus
    with corpus_errors():
        tags, repositories = await corpus.in_thread(_there, corpus, call.scope)
    given = filters or FilterArguments()
    parts = _unknown("No document is of the repository", call.scope.repositories, repositories)
    if not parts:
        parts = _unknown("No document has the tag", [*(given.get("doc_tag") or ()), *call.scope.doc_tags], tags)
    if not parts and given.get("version"):
        parts = _other_versions(corpus, call.scope, given["version"] or "")
    if not parts and (excluding := await _excluding(call, question, given)):
        parts.append(f"Without filters.{excluding} there are results.")
    parts += await misspelt(call, question)
    if not parts:
        parts.append("Nothing in this scope fits; try other words.")
    kept_out = bool(call.scope.repositories) and not tags
    there = _listed("Repositories that exist", repositories) if kept_out else _listed("Tags that exist", tags)
    return " ".join([*parts, *there])


def _there(corpus: Corpus, scope: Scope) -> tuple[list[str], list[str]]:
    """The tags of the repositories asked for, and the repositories that the deployment may see."""
    from wekadocs_corpus import Area

    home, truth = corpus.home, corpus.truth
    area = Area(home.project_id, home.environment, home.doc_tags, scope.repositories)
    found = sorted({name for name in truth.roots(home.project_id, home.environment).values() if name})
    return truth.doc_tags(area), [name for name in found if not home.repositories or name in home.repositories]


def _other_versions(corpus: Corpus, scope: Scope, asked: str) -> list[str]:
    from wekadocs_corpus import versions_of

    there = versions_of(corpus.truth, scope.project_id)
    if asked in (*there, "newest", "*"):
        return []
    return [*_unknown("No document is of version", [asked], there), *_listed("Versions that exist", there)]


def _listed(what: str, names: list[str]) -> list[str]:
    more = f" and {len(names) - _TAGS} more" if len(names) > _TAGS else ""
    return [f"{what}: {', '.join(names[:_TAGS])}{more}."] if names else []


async def misspelt(call: Call[KbState], question: Question) -> list[str]:
    """Words that no document has and some heading nearly has."""
    with corpus_errors():
        near = await call.state.corpus.nearest_words(question)
    return [f"No document has the word {word!r}; did you mean {known!r}?" for word, known in near.items()]


def _unknown(what: str, asked: Iterable[str], there: list[str]) -> list[str]:
    """Tags or repositories that no document has."""
    from difflib import get_close_matches  # few questions need it

    unknown = [name for name in dict.fromkeys(asked) if name not in there][:3]
    near = {name: get_close_matches(name, there, 1) for name in unknown}
    return [f"{what} {name[:80]!r}{f'; did you mean {near[name][0]!r}?' if near[name] else '.'}" for name in unknown]


async def _excluding(call: Call[KbState], question: Question, given: FilterArguments) -> str:
    """The filter without which something is found."""
    for name in [name for name, value in given.items() if value]:
        others = cast("FilterArguments", {other: value for other, value in given.items() if other != name})
        if (await find(call, question, others, 1, "vector_only")).candidates:
            return name
    return ""
