"""One order for every index: by score, then by chunk id.

Engines add up in different orders and widths, so the last digits of a score differ between them. Scores are rounded to
five decimals, coarser than those differences; what is equal then is ordered by chunk id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wekadocs_corpus.model import Leg

DECIMALS = 5
MORE = 16  # asked for beyond the limit, so that equal scores at the cut are usually all there
MOST = 65_536

Found = list[tuple[str, float]]  # chunk id, score; best first


def ranked(found: Iterable[Leg], limit: int) -> list[Leg]:
    """The best, in the one order."""
    ordered = sorted((-round(leg.score, DECIMALS), leg.chunk_id, leg.document_id) for leg in found)
    return [Leg(chunk, document, 0.0 - below) for below, chunk, document in ordered[:limit]]


def in_order(found: Found) -> Found:
    """The same for pairs, all of them."""
    return [(chunk, 0.0 - below) for below, chunk in sorted((-round(score, DECIMALS), chunk) for chunk, score in found)]


def through_ties(search: Callable[[int], Found], limit: int) -> Found:
    """At least the best `limit` and all that equal the last of them: ask for more until the score falls."""
    asked = limit + MORE
    while True:
        found = search(asked)
        if len(found) < asked or asked >= MOST or falls(found, limit):
            return found
        asked *= 4


def falls(found: Found, limit: int) -> bool:
    """Whether the last one is surely below the one at the cut; rounding may lift it by one unit."""
    return bool(found[limit - 1][1] - found[-1][1] > 2 * 10**-DECIMALS)
