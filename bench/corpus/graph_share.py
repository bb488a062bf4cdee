"""What share of an ingest the graph takes: the same documents with and without it, by the processor's time."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from wekadocs_corpus.configured import embedding_of, open_truth
from wekadocs_corpus.ingest.planning import Stamp, plan
from wekadocs_corpus.ingest.reading import prepare
from wekadocs_corpus.ingest.sources.scan import roots
from wekadocs_corpus.ingest.taking_in import Ingest
from wekadocs_corpus.model import GraphPart

SAMPLE = Path(__file__).parents[2] / "docs" / "sample" / "docs"
COPIES = 10  # each page as often, in folders of their own


def share_of_ingest() -> dict[str, Any]:
    whole = prepare.extract
    try:
        with_graph = min(_seconds() for _ in range(2))
        prepare.extract = lambda *_: GraphPart()
        without = min(_seconds() for _ in range(2))
    finally:
        prepare.extract = whole
    return {"cpu_s": round(with_graph, 2), "without_s": round(without, 2), "share": round(1 - without / with_graph, 2)}


def _seconds() -> float:
    with tempfile.TemporaryDirectory() as folder:
        docs, data = Path(folder) / "docs", Path(folder) / "data"
        for copy in range(COPIES):
            for page in SAMPLE.rglob("*.md"):
                target = docs / str(copy) / page.relative_to(SAMPLE)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(page.read_text("utf-8").replace("Strata", f"Strata{copy}"), "utf-8")
        truth = open_truth(data)
        embedding = {"provider": "static"}
        embedder = embedding_of({"embedding": embedding})
        work = plan(truth, roots([str(docs)]), Stamp("bench", "prod"), largest=1 << 25)
        start = time.process_time()
        Ingest(truth, embedder, embedding, progress=lambda *_: None, workers=1).run(work)
        spent = time.process_time() - start
        truth.close()
        return spent
