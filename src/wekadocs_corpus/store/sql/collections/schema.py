"""The tables of collections. They are made when first needed: a file without them is as good as an empty one."""

from __future__ import annotations

from wekadocs_corpus.store.sql.connection import Connection

_STATEMENTS = (
    """CREATE TABLE IF NOT EXISTS collections (
  number INTEGER PRIMARY KEY, project TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE,
  model TEXT NOT NULL, dimension INTEGER NOT NULL,
  generation INTEGER NOT NULL, sequence INTEGER NOT NULL, worded INTEGER NOT NULL)""",
    # A deleted chunk stays as an empty row, so that whoever follows the sequence learns of it.
    """CREATE TABLE IF NOT EXISTS collection_chunks (
  number INTEGER PRIMARY KEY, collection INTEGER NOT NULL, id TEXT NOT NULL,
  sequence INTEGER NOT NULL, deleted INTEGER NOT NULL, doc TEXT NOT NULL,
  keys TEXT NOT NULL, digest BLOB NOT NULL, keywords TEXT NOT NULL, payload TEXT NOT NULL,
  text TEXT NOT NULL, fulltext TEXT,
  terms BLOB NOT NULL, vector BLOB NOT NULL, UNIQUE (collection, id))""",
    "CREATE INDEX IF NOT EXISTS collection_chunks_by_change ON collection_chunks (collection, sequence)",
    "CREATE INDEX IF NOT EXISTS collection_chunks_by_doc ON collection_chunks (collection, doc) WHERE deleted = 0",
    "CREATE INDEX IF NOT EXISTS collection_chunks_by_keys ON collection_chunks (collection, keys) WHERE deleted = 0",
    """CREATE TABLE IF NOT EXISTS collection_keywords (
  collection INTEGER NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, chunk INTEGER NOT NULL,
  PRIMARY KEY (collection, field, value, chunk)) WITHOUT ROWID""",
    # In how many chunks of a batch each term is, those that went with it with a minus: one row where an entry a term
    # would cost as much as all the rest.
    """CREATE TABLE IF NOT EXISTS collection_terms (
  collection INTEGER NOT NULL, sequence INTEGER NOT NULL, added INTEGER NOT NULL,
  terms BLOB NOT NULL, counts BLOB NOT NULL,
  PRIMARY KEY (collection, sequence, added)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS collection_fields (
  collection INTEGER NOT NULL, field TEXT NOT NULL, kind TEXT NOT NULL, place INTEGER NOT NULL,
  PRIMARY KEY (collection, field)) WITHOUT ROWID""",
    # A collection that is being built for another model; its row in `collections` has a project that none is called.
    """CREATE TABLE IF NOT EXISTS collection_rebuilds (
  project TEXT PRIMARY KEY, source INTEGER NOT NULL, target INTEGER NOT NULL, promised INTEGER NOT NULL,
  reached INTEGER NOT NULL, passing INTEGER NOT NULL, behind INTEGER NOT NULL, done INTEGER NOT NULL) WITHOUT ROWID""",
    # What came into it by batches, with the source's last change then: older changes there do not win over it.
    """CREATE TABLE IF NOT EXISTS collection_given (
  target INTEGER NOT NULL, id TEXT NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (target, id)) WITHOUT ROWID""",
    # What a chunk of the source is called in it.
    """CREATE TABLE IF NOT EXISTS collection_copied (
  target INTEGER NOT NULL, source INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (target, source)) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS collection_leavings (number INTEGER PRIMARY KEY)",
    # By number within a collection: whoever goes through all of it, some at a time, does not sort it every time.
    "CREATE INDEX IF NOT EXISTS collection_chunks_in_order ON collection_chunks (collection)",
)
REBUILDING = "rebuilding "  # before a project's id; no id has a space


def exists(connection: Connection) -> bool:
    return _has(connection, "collection_fields")


def knows_rebuilds(connection: Connection) -> bool:
    return _has(connection, "collection_leavings")


def _has(connection: Connection, table: str) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone() is not None


def make(connection: Connection) -> None:
    if not _has(connection, "collection_chunks_in_order"):
        for statement in _STATEMENTS:
            connection.execute(statement)
