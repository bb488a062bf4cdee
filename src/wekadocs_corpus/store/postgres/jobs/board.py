"""What is to be read, written where every machine sees it."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.model import digest
from wekadocs_corpus.store.truth.jobs import Job, JobRow

from .part import JobPart

if TYPE_CHECKING:
    from ..connections import Connection, Connections

ALIVE = "EXISTS (SELECT 1 FROM ingest_workers k WHERE k.ingest = i.number AND k.until > clock_timestamp())"
# What nobody went on with for so long is forgotten, and what has ended is when its last worker has gone.
_SWEEP = f"""DELETE FROM ingests i WHERE NOT {ALIVE}
 AND (i.ended IS NOT NULL OR i.touched < clock_timestamp() - interval '7 days')"""
_JOIN = """INSERT INTO ingests (key, sources, project, environment, version) VALUES (%s, %s, %s, %s, %s)
 ON CONFLICT (key) WHERE ended IS NULL DO UPDATE SET touched = clock_timestamp() RETURNING number"""
_OTHERS = "SELECT 1 FROM ingest_workers WHERE ingest = %s AND until > clock_timestamp() LIMIT 1"
_ENTER = """INSERT INTO ingest_workers (ingest, name, until)
 VALUES (%s, %s, clock_timestamp() + %s * interval '1 second') RETURNING number"""
# In the order of the ids, as they are locked elsewhere too. What has been read, or is being, stays so while others are
# at work, unless it is meant otherwise now: another state of the file, other settings.
_WANT = """INSERT INTO ingest_files (ingest, document, mark, state)
 SELECT %s, document, mark, 'pending' FROM unnest(%s::text[], %s::text[]) AS wanted (document, mark) ORDER BY document
 ON CONFLICT (ingest, document) DO UPDATE SET mark = excluded.mark, state = 'pending', worker = NULL
 WHERE %s = 1 OR ingest_files.mark <> excluded.mark OR ingest_files.state = 'gone'"""
_GONE = """INSERT INTO ingest_files (ingest, document, mark, state)
 SELECT %s, document, '', 'gone' FROM unnest(%s::text[]) AS gone (document) ORDER BY document
 ON CONFLICT (ingest, document) DO UPDATE SET state = 'gone', worker = NULL"""
_STILL_THERE = "DELETE FROM ingest_files WHERE ingest = %s AND state = 'gone' AND document <> ALL (%s)"
_COUNT_GONE = "SELECT count(*) FROM ingest_files WHERE ingest = %s AND state = 'gone'"
_ROWS = """SELECT i.sources, i.project, i.environment, i.version,
 count(f.document) FILTER (WHERE f.state <> 'gone'), count(*) FILTER (WHERE f.state = 'done'),
 count(*) FILTER (WHERE f.state = 'failed'), extract(epoch FROM clock_timestamp() - i.began)::float8,
 ARRAY(SELECT k.name FROM ingest_workers k WHERE k.ingest = i.number AND k.until > clock_timestamp() ORDER BY k.number)
 FROM ingests i LEFT JOIN ingest_files f ON f.ingest = i.number
 WHERE i.ended IS NULL GROUP BY i.number ORDER BY i.number"""
_FORGET = f"DELETE FROM ingests i WHERE project = %s AND environment = %s AND sources = %s AND NOT {ALIVE}"


class JobBoard:
    """See store/truth/jobs.py."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    @contextmanager
    def join(self, job: Job, lease_seconds: float) -> Iterator[JobPart]:
        with self._connections.plain() as connection, connection.transaction():
            connection.execute(_SWEEP)
            where = (_named(job.sources), job.project_id, job.environment, job.version)
            (ingest,) = _row(connection, _JOIN, _key(job), *where)
            is_alone = connection.execute(_OTHERS, (ingest,)).fetchone() is None
            if is_alone:
                _begin_anew(connection, ingest)
            (worker,) = _row(connection, _ENTER, ingest, f"{socket.gethostname()}:{os.getpid()}", lease_seconds)
            kept = _want(connection, ingest, job, is_alone)
        with JobPart(self._connections, ingest, worker, lease_seconds, kept) as part:
            yield part

    def is_open(self, job: Job) -> bool:
        with self._connections.plain() as connection:
            ask = "SELECT 1 FROM ingests WHERE key = %s AND ended IS NULL"
            return connection.execute(ask, (_key(job),)).fetchone() is not None

    def rows(self) -> list[JobRow]:
        with self._connections.plain() as connection:
            found = connection.execute(_ROWS).fetchall()
        return [_job_row(*each) for each in found]

    def forget(self, sources: Iterable[str], project: str, environment: str) -> None:
        with self._connections.plain() as connection:
            connection.execute(_FORGET, (project, environment, _named(sources)))


def _job_row(sources: str, *columns: Any) -> JobRow:
    project, environment, version, total, done, failed, seconds, workers = columns
    names, by = tuple(json.loads(sources)), tuple(workers)
    return JobRow(names, project, environment, version, total, done, failed, by, seconds)


def _begin_anew(connection: Connection, ingest: int) -> None:
    """Whoever was at work has gone: what they had not done is not what is to be done now."""
    connection.execute("DELETE FROM ingest_workers WHERE ingest = %s", (ingest,))
    connection.execute("DELETE FROM ingest_files WHERE ingest = %s AND state <> 'done'", (ingest,))


def _want(connection: Connection, ingest: int, job: Job, is_alone: bool) -> int:
    """Gone is only what none of the workers sees; how many are so for this one alone."""
    connection.execute(_WANT, (ingest, list(job.marks), list(job.marks.values()), int(is_alone)))
    if is_alone:
        connection.execute(_GONE, (ingest, list(job.gone)))
        return 0
    connection.execute(_STILL_THERE, (ingest, list(job.gone)))
    return len(job.gone) - _row(connection, _COUNT_GONE, ingest)[0]


def _named(sources: Iterable[str]) -> str:
    return json.dumps(sorted(sources), ensure_ascii=False)


def _key(job: Job) -> str:
    return digest(_named(job.sources), job.project_id, job.environment, job.version)


def _row(connection: Connection, statement: str, *values: object) -> tuple[int, ...]:
    found = connection.execute(statement, values).fetchone()
    assert found is not None
    return found
