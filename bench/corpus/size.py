"""What of the database goes where: bytes a table and its indexes take for each byte of the documents.

    python bench/corpus/size.py DATA [DATA ...]     # folders that `wekadocs-mcp ingest --data` has filled

Pages as SQLite counts them (dbstat), so what is left empty in them is included. Several folders stand side by side: the
same documents taken in by two releases, say.
"""

from __future__ import annotations

import sqlite3
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

_SIZES = """SELECT coalesce(tbl_name, dbstat.name), sum(pgsize) FROM dbstat
 LEFT JOIN sqlite_master ON sqlite_master.name = dbstat.name GROUP BY 1"""


def sizes(data: Path) -> tuple[int, Counter[str]]:
    """Bytes of the documents, and of each table with its indexes; full text is one table."""
    with closing(sqlite3.connect(f"{(data / 'corpus.db').resolve().as_uri()}?mode=ro", uri=True)) as connection:
        source = int(connection.execute("SELECT sum(size_bytes) FROM documents").fetchone()[0] or 1)
        found: Counter[str] = Counter()
        for name, size in connection.execute(_SIZES):
            found["words" if name.startswith("words_") else name] += size
        free = connection.execute("SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size")
        found["(free)"] += free.fetchone()[0]
    return source, found


def main() -> None:
    measured = [sizes(Path(each)) for each in sys.argv[1:]]
    names = sorted(set().union(*(found for _, found in measured)), key=lambda name: -measured[0][1][name])
    telling = [name for name in names if any(found[name] > source / 1000 for source, found in measured)]
    print(f"| bytes for each byte of {measured[0][0] / 1e6:.0f} MB |{' |' * len(measured)}")
    print(f"|---|{'---|' * len(measured)}")
    for name in telling:
        print(f"| {name} |", " | ".join(f"{found[name] / source:.2f}" for source, found in measured), "|")
    print("| all |", " | ".join(f"{found.total() / source:.2f}" for source, found in measured), "|")


if __name__ == "__main__":
    main()
