"""How fast `ingest` is, beside parsing and embedding alone on as many processes, in one run.

python bench/corpus/ingest.py [FOLDER] [--pages 3000] [--size 5000]      # FOLDER: Markdown to make the pages of
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pages import make_pages

from wekadocs_corpus.documents import read_document, searchable
from wekadocs_corpus.embedding.static import StaticEmbedder
from wekadocs_corpus.ingest.reading import prepare
from wekadocs_corpus.ingest.sources import files, scan
from wekadocs_corpus.ingest.sources.left_out import LeftOut
from wekadocs_corpus.model import Place
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

SAMPLE = Path(__file__).parents[2] / "docs" / "sample" / "docs"
STAGES = {  # in prepare.py; what a stage calls of another one counts for both
    "parse": "read_document",
    "clean": "searchable",
    "words": "document_vectors",
    "graph": "extract",
    "embed": "embedded",
    "rows": "rows",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--size", type=int, default=5000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        docs, data = Path(temporary) / "docs", Path(temporary) / "data"
        total = make_pages(options.folder, docs, options.pages, options.size)
        count, cores = options.pages, os.cpu_count() or 1
        print(f"{count:,} pages of {total / count / 1000:.1f} KB, {cores} cores, load {os.getloadavg()[0]:.1f}")
        stages(docs, min(count, 500))
        raw = _told("parse+embed alone", lambda: raw_speed(docs, cores), count, total)
        took = _told("ingest", lambda: ingest(docs, data), count, total)
        print(f"  ratio to parse+embed alone: {raw[0] / took[0]:.2f} by the clock, {raw[1] / took[1]:.2f} by CPU time")
        again = _told("again, unchanged", lambda: ingest(docs, data), count, total)
        print(f"  unchanged: {again[0] / count * 1000:.2f} s per 1,000 files")


def _told(name: str, work: Callable[[], str], count: int, total: int) -> tuple[float, float]:
    """Seconds by the clock and of CPU, of this process and its children."""
    clock, cpu = time.monotonic(), _cpu()
    note = work()
    seconds, used = time.monotonic() - clock, _cpu() - cpu
    speed = f"{count / seconds:7.0f} documents/s {total / seconds / 1e6:6.2f} MB/s"
    print(f"{name:20} {speed} {used / count * 1000:7.2f} ms CPU a document  {note}")
    return seconds, used


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def raw_speed(docs: Path, cores: int) -> str:
    """The least that any ingest does, shared out to as many processes as there are cores."""
    files = sorted(map(str, docs.rglob("*.md")))
    with multiprocessing.get_context("spawn").Pool(cores) as pool:
        chunks = sum(pool.imap_unordered(_raw, [files[start : start + 32] for start in range(0, len(files), 32)]))
        pool.close()
        pool.join()
    return f"{chunks:,} chunks"


_embedder: list[StaticEmbedder] = []


def _raw(files: list[str]) -> int:
    if not _embedder:
        _embedder.append(StaticEmbedder())
    chunks = 0
    for file in files:
        parsed = read_document(file, Path(file).read_bytes(), file)
        rows = _embedder[0].embed_passages([searchable(parsed, chunk) for chunk in parsed.chunks])
        chunks += len(rows)
    return chunks


def ingest(docs: Path, data: Path) -> str:
    """The command as a user runs it, start of processes and index included."""
    program = Path(sys.executable).with_name("wekadocs-mcp")
    command = [str(program), "--data", str(data), "ingest", str(docs), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        peaks: dict[int, int] = {}
        done = threading.Event()
        watch = threading.Thread(target=_watch, args=(process.pid, peaks, done))
        watch.start()
        output = process.communicate()[0]
        done.set()
        watch.join()
    last: dict[str, Any] = json.loads(output.splitlines()[-1])
    if last["failed"] or process.returncode:
        sys.exit(f"ingest failed: {last}")
    peak = sorted(peaks.values(), reverse=True)
    own = peaks.get(process.pid, 0)
    return f"anonymous memory: {own} MB, all processes {sum(peak)} MB; database {_size(data)} MB"


def _watch(pid: int, peaks: dict[int, int], done: threading.Event) -> None:
    while not done.wait(0.5):  # looking takes time from those looked at
        for each in [pid, *_children(pid)]:
            peaks[each] = max(peaks.get(each, 0), _anonymous(each))


def _children(pid: int) -> list[int]:
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _anonymous(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Anonymous:")) // 1024


def _size(data: Path) -> int:
    return sum(file.stat().st_size for file in data.glob("corpus.db*")) // 1_000_000


def stages(docs: Path, count: int) -> None:
    """CPU per document and stage, in this process."""
    spent = dict.fromkeys(STAGES, 0.0)
    spent["read"] = 0.0
    _timed(files.FileOrigin, "read", "read", spent)
    for stage, name in STAGES.items():
        _timed(prepare, name, stage, spent)
    embedder, root = StaticEmbedder(), scan.roots([str(docs)])[0]
    found = list(root.origins(LeftOut()))[:count]
    tasks = [prepare.Task(each, Place("p", "e", "", each.path), root.name, 1.0, "", True, 10**8) for each in found]
    batches = (tasks[start : start + 32] for start in range(0, count, 32))
    ready = [each for batch in batches for each in prepare.prepare(batch, embedder, embedder.profile.id)]
    with tempfile.TemporaryDirectory() as folder:
        truth, began = SqliteTruth(Path(folder)), time.process_time()
        for start in range(0, count, 64):
            truth.write_rows(each.rows for each in ready[start : start + 64] if isinstance(each, prepare.Ready))
        spent["write"] = time.process_time() - began
        truth.close()
    print("  CPU ms a document:", ", ".join(f"{name} {each / count * 1000:.2f}" for name, each in spent.items()))


def _timed(where: object, name: str, stage: str, spent: dict[str, float]) -> None:
    inner = getattr(where, name)

    def timed(*arguments: Any) -> Any:
        began = time.process_time()
        try:
            return inner(*arguments)
        finally:
            spent[stage] += time.process_time() - began

    setattr(where, name, timed)


if __name__ == "__main__":
    main()
