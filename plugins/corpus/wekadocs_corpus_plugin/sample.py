"""The sample documentation: what contracts' examples ask. Inside a wheel, or at the top of a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_mcp import Context

_HERE = Path(__file__).parent
_PLACES = (_HERE / "_sample", _HERE.parents[2] / "docs" / "sample" / "docs")

SERVERS = ("qdrant", "neo4j")  # others' servers are no place for a sample


def sample_folder() -> Path:
    return next(place for place in _PLACES if place.is_dir())


def ingest_sample(context: Context) -> None:
    from wekadocs_corpus import Run, Stamp, roots

    stamp = Stamp(context.scope.project_id, context.scope.environment)
    here = {name: value for name, value in context.settings.items() if name not in SERVERS}
    run = Run(context.data_dir, here, stamp, lambda *_: None)
    try:
        run.ingest(roots([str(sample_folder())]))
    finally:
        run.truth.close()
