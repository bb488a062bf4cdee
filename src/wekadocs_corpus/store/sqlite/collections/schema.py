"""The tables of collections. They are made when first needed: a file without them is as good as an empty one."""

from __future__ import annotations

import sqlite3

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
)


def exists(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'collection_fields'").fetchone() is not None


def make(connection: sqlite3.Connection) -> None:
    if not exists(connection):
        for statement in _STATEMENTS:
            connection.execute(statement)
