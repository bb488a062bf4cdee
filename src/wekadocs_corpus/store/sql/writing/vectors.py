"""Vectors of texts, by model: what many documents say alike has one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.packing import pack_hash

MODEL_NUMBER = "SELECT number FROM models WHERE name = ?"


def insert(connection: Connection, model: str, vectors: Mapping[str, bytes]) -> None:
    if vectors:
        connection.execute("INSERT OR IGNORE INTO models (name) VALUES (?)", (model,))
        number = connection.execute(MODEL_NUMBER, (model,)).fetchone()[0]
        rows = [(number, pack_hash(name), vector) for name, vector in vectors.items()]
        connection.put("INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?)", rows)


def missing(connection: Connection, model: str, hashes: Iterable[str]) -> set[str]:
    """Which of these texts this model has not embedded."""
    ask = f"SELECT 1 FROM embeddings WHERE model = ({MODEL_NUMBER}) AND embedded_hash = ?"
    wanted = list(hashes)
    answers = connection.ask_all([(ask, (model, pack_hash(name))) for name in wanted])
    return {name for name, rows in zip(wanted, answers, strict=True) if not rows.fetchone()}
