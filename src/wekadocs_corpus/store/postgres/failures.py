"""The server's refusals in words that name the way out; never the address as written, which holds a password."""

from __future__ import annotations

import re

import psycopg
from psycopg import errors

from wekadocs_corpus.errors import Unavailable
from wekadocs_corpus.store.errors import Busy, Damaged, StoreError

_SETTING = "plugins.corpus.truth.url"
_WAY = (
    f"write {_SETTING} as postgresql://USER:PASSWORD@HOST:PORT/DATABASE, "
    "and / ? # % @ in a password as %2F %3F %23 %25 %40"
)
UNFIT = (psycopg.IntegrityError, psycopg.DataError, errors.ProgramLimitExceeded)


class Unreachable(StoreError, Unavailable):
    """The database does not answer, or lets nobody in."""


def place(url: str) -> str:
    """The database without who asks: for messages and logs."""
    who, where = _parts(url)
    if who is None:
        return "PostgreSQL"
    host, slash, database = where.partition("/")
    return f"PostgreSQL at {host or 'this machine'}{slash}{database}"


def _parts(url: str) -> tuple[str | None, str]:
    """Who asks, and where: all that could belong to a password, which may hold any letter, is the former's; None where
    that cannot be told."""
    address = url.partition("://")[2]
    before = address.partition("?")[0]
    if "@" in address and "@" not in before:
        return None, ""
    who, _, where = before.rpartition("@")
    return who, where


def _readable(url: str) -> bool:
    """Whether libpq has read it as it was meant: it ends who asks at the first of these."""
    who, where = _parts(url)
    hosts = where.partition("/")[0].split(",")
    ports = [host.rpartition(":")[2] for host in hosts if ":" in host and not host.endswith("]")]
    meant = who is not None and not set("/@") & set(who)
    scheme = url.partition("://")[0]
    return meant and scheme in {"postgresql", "postgres"} and all(port.isdigit() for port in ports if port)


def of_connecting(problem: psycopg.Error, url: str) -> StoreError:
    """Why no connection could be made; by the server's code where it gave one."""
    where, said = place(url), str(problem)
    if not _readable(url):
        return StoreError(f"{_SETTING} cannot be read; {_WAY}")
    if found := re.search(r'invalid (?:URI query parameter: "(\w+)"|(\w+) value)', said):
        return StoreError(
            f"{_SETTING} cannot be read: libpq does not take its parameter {found[1] or found[2]} so; {_WAY}"
        )
    if not isinstance(problem, psycopg.OperationalError):
        return StoreError(f"{_SETTING} cannot be read; {_WAY}")
    if "password authentication failed" in said or "no password supplied" in said:
        return Unreachable(f"{where}: refuses the user or the password; {_WAY}")
    if "no pg_hba.conf entry" in said:
        return Unreachable(f"{where}: does not let this machine or user in; add a line to its pg_hba.conf")
    if "does not exist" in said and "database" in said:
        return Unreachable(f"{where}: there is no such database; make it with createdb, or name another")
    if "does not exist" in said and "role" in said:
        return Unreachable(f"{where}: there is no such user; make it with createuser, or name another")
    if "failed to resolve host" in said or "could not translate host name" in said:
        return Unreachable(f"{where}: no machine has that name; correct the host in {_SETTING}")
    if "does not support SSL" in said:
        return Unreachable(f"{where}: has no TLS, which sslmode demands; switch it on there, or sslmode=disable")
    if "certificate verify failed" in said or "root certificate file" in said or "server certificate for" in said:
        return Unreachable(f"{where}: its certificate is not trusted; name its authority with sslrootcert=FILE")
    if "too many connections" in said or "remaining connection slots" in said:
        return Busy(f"{where}: has no connection left; raise its max_connections, or lower truth.connections")
    return Unreachable(f"{where}: does not answer; check that it runs, and {_SETTING}")


def of_asking(problem: psycopg.Error, url: str) -> Exception:
    """What a statement failed with."""
    where = place(url)
    match problem:
        case errors.QueryCanceled():
            return TimeoutError("the query was interrupted at its deadline")
        case errors.LockNotAvailable():
            return Busy(f"{where}: other processes have been writing for long; try again later")
        case errors.InsufficientPrivilege():
            return StoreError(f"{where}: the user has no right to this ({_first(problem)}); {RIGHTS}")
        case errors.ReadOnlySqlTransaction():
            return StoreError(f"{where}: takes no writes, it is a standby or read-only; name the primary")
        case errors.DiskFull():
            return StoreError(f"{where}: its disk is full; free some space and go on, nothing is lost")
        case errors.UndefinedTable() | errors.UndefinedColumn() | errors.InvalidSchemaName():
            return Damaged(f"{where}: tables are missing ({_first(problem)}); restore a dump, or drop the schema")
        case psycopg.OperationalError():
            return Unreachable(f"{where}: the connection was lost; try again")
    return problem


RIGHTS = "GRANT the role that owns the schema TO it; where there is no schema yet, GRANT CREATE ON DATABASE … TO it"


def without_rights(url: str, schema: str) -> StoreError:
    """Tables that a user may not look into are to it as if they were not there."""
    return StoreError(f"{place(url)}: the user has no right to the schema {schema}; {RIGHTS}")


def _first(problem: psycopg.Error) -> str:
    return (problem.diag.message_primary or "").strip()[:200]
