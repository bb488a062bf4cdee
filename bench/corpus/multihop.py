"""What following the graph is worth: python bench/corpus/multihop.py FOLDER [SET…]

FOLDER (or WEKADOCS_DATA) holds sets in BEIR form. Each entry becomes a Markdown page, all are ingested by the product,
and every question is asked twice: with words and vectors, and with the graph (mode hybrid_local).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from pathlib import Path
from statistics import fmean, median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parent))

from quality import Labelled, add_questions, ndcg, recall, rows

from wekadocs_corpus.corpus import Corpus
from wekadocs_corpus.ingest.planning import Stamp
from wekadocs_corpus.ingest.run import Run
from wekadocs_corpus.ingest.sources.scan import roots
from wekadocs_corpus.model import Area, Filters
from wekadocs_mcp.config import deployment as configuration
from wekadocs_mcp.plugins import discovery

AREA = Area("bench", "bench")
SETS = ("hotpot-multihop", "squad", "tvmanual", "anthropic-docs-qa", "code-chunks", "weka-golden-4.4", "cranfield")
MODES = ("vector_only", "hybrid_local")


def pages(folder: Path, into: Path) -> dict[str, str]:
    """Path of the page → the entry's name. Folders and file names stay, so that links lead where they did."""
    names = {}
    for entry in rows(folder / "corpus.jsonl"):
        name = entry["_id"] if entry["_id"].endswith(".md") else f"{entry['_id'].replace('/', '_')}.md"
        text = entry["text"] if entry["text"].startswith("# ") else f"# {entry.get('title') or ''}\n\n{entry['text']}\n"
        page = into / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
        names[name] = entry["_id"]
    return names


async def measure(folder: Path, most: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        data, docs = Path(scratch) / "data", Path(scratch) / "docs"
        names = pages(folder, docs)
        given = {"plugins": {"corpus": {"embedding": {"provider": "static"}}}}
        settings = next(s for s in discovery.find(configuration.from_dict(given, data)) if s.name == "corpus").settings
        run = Run(data, settings, Stamp(AREA.project_id, AREA.environment), lambda *_: None)
        await asyncio.to_thread(run.ingest, roots([str(docs)]))
        run.truth.close()
        corpus = await Corpus.open(data, settings, AREA)
        labelled = Labelled(folder.name)
        add_questions(labelled, folder, set(names.values()))
        questions = dict(list(labelled.questions.items())[:: max(1, len(labelled.questions) // most)])
        for mode in MODES:
            await one_mode(corpus, labelled, questions, names, mode)
        await corpus.close()


async def one_mode(
    corpus: Corpus, labelled: Labelled, questions: dict[str, str], names: dict[str, str], mode: str
) -> None:
    figures: list[tuple[float, ...]] = []
    times = []
    for name, question in questions.items():
        began = perf_counter()
        found = await corpus.retrieve(question, AREA, Filters(), 10, mode)
        times.append(perf_counter() - began)
        documents = [names[each.passage.path] for each in found.candidates]
        relevant = labelled.relevant[name]
        recalls = [recall(documents, relevant, k) for k in (2, 5, 10)]
        figures.append((*recalls, float(recalls[1] == 1.0), ndcg(documents, relevant)))
    line = "  ".join(f"{fmean(column):.3f}" for column in zip(*figures, strict=True))
    print(f"{labelled.name:20} {len(questions):5}  {mode:13} {line}  {median(times) * 1000:6.1f} ms", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.environ.get("WEKADOCS_DATA"))
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--questions", type=int, default=300)
    options = parser.parse_args()
    if not options.folder:
        parser.error("name the folder that holds the sets, or set WEKADOCS_DATA")
    print(f"{'':41} r@2    r@5    r@10   all@5  nDCG")
    for name in options.sets:
        asyncio.run(measure(Path(options.folder) / name, options.questions))


if __name__ == "__main__":
    main()
