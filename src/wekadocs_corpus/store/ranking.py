"""One order for every index: by score, then by chunk id.

Engines add up in different orders and widths, so the last digits of a score differ between them. Scores are rounded to
five decimals, coarser than those differences; what is equal then is ordered by chunk id.
"""

from __future__ import annotations

from collections.abc import Iterable

from wekadocs_corpus.model import Leg

DECIMALS = 5
MORE = 16  # asked for beyond the limit, so that equal scores at the cut are usually all there
MOST = 65_536

Found = list[tuple[str, float]]  # chunk id, score; best first


def ranked(found: Iterable[Leg], limit: int) -> list[Leg]:
    """The best, in the one order."""
    ordered = sorted((-round(leg.score, DECIMALS), leg.chunk_id, leg.document_id) for leg in found)
    return [Leg(chunk, document, 0.0 - below) for below, chunk, document in ordered[:limit]]


def falls(found: Found, limit: int) -> bool:
    """Whether the last one is surely below the one at the cut; rounding may lift it by one unit."""
    return bool(found[limit - 1][1] - found[-1][1] > 2 * 10**-DECIMALS)
