"""Do the answers stay the same, to the last digit? python bench/corpus/same_answers.py FOLDER DATA OUT [--against OLD]

FOLDER (or WEKADOCS_DATA) holds sets in BEIR form. Each entry becomes a Markdown page, and each set is ingested into
DATA/SET unless that is there. Every question is asked of kb.search in each mode, as written and mistyped, of
kb.retrieve_evidence and of kb.extract_evidence; OUT gets a line an answer, with the scores as Python writes them and
without what is made by chance. With --against the lines that differ from an earlier OUT are counted and the first is
shown. The last line is the CPU time of each tool, in milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from multihop import pages
from quality import rows

from wekadocs_corpus.corpus import Corpus
from wekadocs_mcp.app import App
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.config import deployment as configuration

MODES = ("auto", "vector_only", "hybrid_local")
BY_CHANCE = frozenset({"passage_id", "session_id", "scratch_uri", "timings_ms", "next_cursor", "uri"})
MISTYPED, EXTRACTED = 5, 5  # every so many questions


class Asking:
    """The app in this process, asked like a client asks; what retrieval found is read on its way, with all digits."""

    def __init__(self, data: Path) -> None:
        self.app = App.build(configuration.load(None, data))
        self.times: dict[str, list[float]] = defaultdict(list)
        self._hits: list[Any] = []
        find = Corpus.find

        async def recorded(corpus: Corpus, *arguments: Any, **options: Any) -> Any:
            found = await find(corpus, *arguments, **options)
            hits = [(each.hit, each.passage.start, each.passage.end) for each in found.candidates]
            self._hits.append([(hit.chunk_id, repr(hit.score), hit.source, *place) for hit, *place in hits])
            return found

        self._find, Corpus.find = find, recorded  # type: ignore[method-assign]

    async def close(self) -> None:
        Corpus.find = self._find  # type: ignore[method-assign]
        await self.app.close()

    async def call(self, tool: str, **arguments: Any) -> Any:
        began = process_time()
        answer = await self.app.dispatcher.call(tool, arguments, Caller(session="bench"))
        self.times[tool].append((process_time() - began) * 1000)
        return answer.data

    async def told(self, tool: str, **arguments: Any) -> str:
        self._hits = []
        answer = await self.call(tool, **arguments)
        asked = {"tool": tool, **{name: value for name, value in arguments.items() if name not in BY_CHANCE}}
        return json.dumps([without_chance(asked), self._hits, without_chance(answer)])


def without_chance(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_chance(each) for name, each in value.items() if name not in BY_CHANCE}
    return [without_chance(each) for each in value] if isinstance(value, list) else value


def mistyped(question: str) -> str:
    """Without the third letter of its longest word."""
    longest = max(question.split(), key=len, default="")
    return question.replace(longest, longest[:2] + longest[3:])


async def answers(asking: Asking, questions: list[str]) -> list[str]:
    told = []
    scores = {"include_scores": True, "include_debug": True}
    for number, question in enumerate(questions):
        for mode in MODES:
            told.append(await asking.told("kb.search", query=question, options={"mode": mode, **scores}))
        whole = {"rewrite": False, "max_per_doc": 3, **scores}
        told.append(await asking.told("kb.search", query=question, top_k=10, options=whole))
        told.append(await asking.told("kb.retrieve_evidence", question=question))
        if number % MISTYPED == 0:
            told.append(await asking.told("kb.search", query=mistyped(question), options=scores))
            told.append(await asking.told("kb.retrieve_evidence", question=mistyped(question), mode="vector_only"))
        if number % EXTRACTED == 0:
            found = (await asking.call("kb.search", query=question))["results"]
            ids = [row["passage_id"] for row in found]
            if ids:
                made = await asking.call("kb.extract_evidence", question=question, passage_ids=ids)
                told.append(json.dumps(["kb.extract_evidence", question, without_chance(made)]))
    return told


def ingest(folder: Path, data: Path) -> None:
    pages(folder, data / "docs")
    script = Path(sys.executable).parent / "wekadocs-mcp"
    subprocess.run([script, "ingest", str(data / "docs"), "--data", str(data / "kept")], check=True)


async def one_set(folder: Path, data: Path, most: int, times: dict[str, list[float]]) -> list[str]:
    everything = [row["text"] for row in rows(folder / "queries.jsonl")]
    asking = Asking(data / "kept")
    await asking.call("kb.search", query="index")  # a busy machine opens the index while this is answered
    told = await answers(asking, everything[:: max(1, len(everything) // most)][:most])
    await asking.close()
    for tool, each in asking.times.items():
        times[tool] += each
    return told


def compare(old: list[str], new: list[str]) -> int:
    differ = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
    if differ:
        print(f"first that differs:\n- {differ[0][0]}\n+ {differ[0][1]}")
    count = len(differ) + abs(len(old) - len(new))
    print(f"{len(new)} answers, {count} differ")
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=os.environ.get("WEKADOCS_DATA"))
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--against", type=Path, help="what was written before the change")
    parser.add_argument("--questions", type=int, default=150, help="at most so many of each set")
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    times: dict[str, list[float]] = defaultdict(list)
    told: list[str] = []
    for folder in sorted(Path(options.folder).iterdir()):
        if (folder / "queries.jsonl").exists() and (not options.only or folder.name in options.only):
            if not (options.data / folder.name).exists():
                ingest(folder, options.data / folder.name)
            told += asyncio.run(one_set(folder, options.data / folder.name, options.questions, times))
    options.out.write_text("\n".join(told), "utf-8")
    print("  ".join(f"{tool} {median(each):.2f}" for tool, each in times.items()))
    if options.against and compare(options.against.read_text("utf-8").split("\n"), told):
        sys.exit(1)


if __name__ == "__main__":
    main()
