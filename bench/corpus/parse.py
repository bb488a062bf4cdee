"""How fast documents are parsed, against markdown-it-py at blocks alone. python bench/corpus/parse.py FOLDER"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from markdown_it import MarkdownIt

from wekadocs_corpus import tokens
from wekadocs_corpus.documents import SUFFIXES, read_document, searchable

PAGE = 5_000  # bytes of the page that figures speak of


def main() -> None:
    files = [
        path for path in sorted(Path(sys.argv[1]).rglob("*")) if path.is_file() and path.suffix.lower() in SUFFIXES
    ]
    pages = [(path.name, path.read_bytes()) for path in files]
    size = sum(len(data) for _, data in pages)
    peer = MarkdownIt("commonmark").enable("table")
    peer.core.ruler.disable(["inline", "text_join"])
    texts = [data.decode("utf-8", "replace") for _, data in pages]
    read_document("warm.md", b"---\na: 1\n---\n# H\n", "x")
    parsed = []
    ours = _seconds(lambda: parsed.extend(read_document(name, data, name) for name, data in pages))
    theirs = _seconds(lambda: [peer.parse(text) for text in texts])
    clean = _seconds(lambda: [searchable(document, chunk) for document in parsed for chunk in document.chunks])
    counted = _seconds(lambda: [tokens.count(text) for text in texts])
    chunks = sum(len(document.chunks) for document in parsed)
    print(f"{len(pages)} documents, {size / 1e6:.1f} MB, {chunks} chunks; per core, of {PAGE // 1000} KB:")
    print(f"  read_document          {size / PAGE / ours:8.0f} documents/s")
    print(f"  markdown-it-py, blocks {size / PAGE / theirs:8.0f} documents/s   ratio {theirs / ours:.2f}")
    print(f"  searchable             {size / PAGE / clean:8.0f} documents/s")
    print(f"  tokens.count           {size / 1e6 / counted:8.1f} MB/s")


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
