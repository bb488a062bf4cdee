"""One worker's part in an ingest: it claims, renews its lease, and writes only what is still its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING

import psycopg

from wekadocs_corpus.store.errors import StoreError
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.sql.writing.documents import delete_all
from wekadocs_corpus.store.truth.jobs import Tally

if TYPE_CHECKING:
    from ..connections import Connections

# What a worker that is gone had claimed is there for others; what is locked is being claimed or written just now. In
# the order in which they are wanted: of a name that is spelled in several ways the first counts, as where one machine
# reads.
_CLAIM = """WITH free AS (
 SELECT f.document FROM ingest_files f
 JOIN unnest(%(documents)s::text[], %(marks)s::text[]) WITH ORDINALITY AS wanted (document, mark, place)
 ON wanted.document = f.document AND wanted.mark = f.mark
 WHERE f.ingest = %(ingest)s AND EXISTS (SELECT 1 FROM ingest_workers k WHERE k.number = %(worker)s)
 AND (f.state = 'pending' OR (f.state = 'leased' AND f.worker <> %(worker)s AND NOT EXISTS
 (SELECT 1 FROM ingest_workers k WHERE k.number = f.worker AND k.until > clock_timestamp())))
 ORDER BY wanted.place LIMIT %(most)s FOR UPDATE OF f SKIP LOCKED)
 UPDATE ingest_files f SET state = 'leased', worker = %(worker)s FROM free
 WHERE f.ingest = %(ingest)s AND f.document = free.document RETURNING f.document"""
_SETTLED = """SELECT wanted.document FROM unnest(%(documents)s::text[], %(marks)s::text[]) AS wanted (document, mark)
 LEFT JOIN ingest_files f ON f.ingest = %(ingest)s AND f.document = wanted.document
 WHERE f.document IS NULL OR f.mark <> wanted.mark OR f.state NOT IN ('pending', 'leased')"""
_THESE = "ingest = ? AND worker = ? AND state = 'leased' AND document IN (SELECT value FROM json_each(?))"
_HELD = f"SELECT document FROM ingest_files WHERE {_THESE} ORDER BY document FOR UPDATE"
_DONE = f"UPDATE ingest_files SET state = 'done' WHERE {_THESE}"
_FAIL = """UPDATE ingest_files f SET state = 'failed', shown = failed.shown, reason = failed.reason
 FROM unnest(%s::text[], %s::text[], %s::text[]) AS failed (document, shown, reason)
 WHERE f.ingest = %s AND f.worker = %s AND f.state = 'leased' AND f.document = failed.document"""
_TALLY = """SELECT count(*) FILTER (WHERE state <> 'gone'), count(*) FILTER (WHERE state = 'done'),
 count(*) FILTER (WHERE state = 'failed'),
 (SELECT count(*) FROM ingest_workers WHERE ingest = %(ingest)s AND number <> %(worker)s AND until > clock_timestamp()),
 coalesce((SELECT ended IS NOT NULL FROM ingests WHERE number = %(ingest)s), false),
 EXISTS (SELECT 1 FROM ingest_workers WHERE number = %(worker)s)
 FROM ingest_files WHERE ingest = %(ingest)s"""
_RENEW = "UPDATE ingest_workers SET until = clock_timestamp() + %s * interval '1 second' WHERE number = %s"
_LEFT = "SELECT 1 FROM ingest_files WHERE ingest = ? AND state IN ('pending', 'leased') LIMIT 1"


class JobPart:
    """See store/truth/jobs.py. Its lease is renewed by a thread of its own until it is left."""

    def __init__(self, connections: Connections, ingest: int, worker: int, lease_seconds: float, kept: int) -> None:
        self._connections, self._ingest, self._worker = connections, ingest, worker
        self._lease, self.kept = lease_seconds, kept
        self._over = threading.Event()
        self._renewing = threading.Thread(target=self._renew, name="lease", daemon=True)

    def __enter__(self) -> JobPart:
        self._renewing.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._renewing.join()
        with suppress(psycopg.Error, StoreError):  # the lease ends by itself
            self._leave()

    def claim(self, marks: Mapping[str, str], most: int) -> tuple[set[str], set[str]]:
        given = {"documents": list(marks), "marks": list(marks.values()), "most": most, **self._names}
        with self._connections.plain() as connection, connection.transaction():
            claimed = {row[0] for row in connection.execute(_CLAIM, given)}
            settled = {row[0] for row in connection.execute(_SETTLED, given)}
        return claimed, settled

    def held(self, connection: Connection, document_ids: Sequence[str]) -> set[str]:
        return {row[0] for row in connection.execute(_HELD, self._these(document_ids))}

    def done(self, connection: Connection, document_ids: Sequence[str]) -> None:
        connection.execute(_DONE, self._these(document_ids))

    def fail(self, failures: Mapping[str, tuple[str, str]]) -> None:
        shown, reasons = [each[0] for each in failures.values()], [each[1] for each in failures.values()]
        with self._connections.plain() as connection:
            connection.execute(_FAIL, (list(failures), shown, reasons, self._ingest, self._worker))

    def tally(self) -> Tally:
        with self._connections.plain() as connection:
            row = connection.execute(_TALLY, self._names).fetchone()
        assert row is not None
        return Tally(*row)

    def failures(self) -> list[tuple[str, str]]:
        ask = """SELECT shown, reason FROM ingest_files WHERE ingest = %(ingest)s AND state = 'failed'
         AND worker IS DISTINCT FROM %(worker)s ORDER BY shown"""
        with self._connections.plain() as connection:
            return [(shown, reason) for shown, reason in connection.execute(ask, self._names)]

    def finish(self) -> int | None:
        with self._connections.writing() as connection:
            ask = "SELECT ended IS NULL AS open FROM ingests WHERE number = ? FOR UPDATE"
            found = connection.execute(ask, (self._ingest,)).fetchone()
            if not (found and found[0]) or connection.execute(_LEFT, (self._ingest,)).fetchone():
                return None
            gone = "SELECT document FROM ingest_files WHERE ingest = ? AND state = 'gone' ORDER BY document"
            ids = [row[0] for row in connection.execute(gone, (self._ingest,))]
            deleted = delete_all(connection, ids)
            connection.execute("UPDATE ingests SET ended = clock_timestamp() WHERE number = ?", (self._ingest,))
            return deleted

    @property
    def _names(self) -> dict[str, int]:
        return {"ingest": self._ingest, "worker": self._worker}

    def _these(self, document_ids: Sequence[str]) -> tuple[int, int, str]:
        return self._ingest, self._worker, json.dumps(list(document_ids))

    def _renew(self) -> None:
        while not self._over.wait(self._lease / 3):
            with suppress(psycopg.Error, StoreError), self._connections.plain() as connection:
                connection.execute(_RENEW, (self._lease, self._worker))

    def _leave(self) -> None:
        """What was claimed and not done is there for others at once."""
        with self._connections.plain() as connection, connection.transaction():
            connection.execute("UPDATE ingests SET touched = clock_timestamp() WHERE number = %(ingest)s", self._names)
            connection.execute("DELETE FROM ingest_workers WHERE number = %(worker)s", self._names)
            connection.execute(
                """DELETE FROM ingests i WHERE number = %(ingest)s AND ended IS NOT NULL AND NOT EXISTS
                 (SELECT 1 FROM ingest_workers k WHERE k.ingest = i.number AND k.until > clock_timestamp())""",
                self._names,
            )
