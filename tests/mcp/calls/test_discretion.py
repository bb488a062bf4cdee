"""No message tells a client where a server behind this one stands on the network."""

from __future__ import annotations

import pytest

from wekadocs_corpus.store.postgres.failures import place
from wekadocs_mcp.calls.discretion import Discretion
from wekadocs_mcp.config.deployment import from_dict
from wekadocs_mcp.errors import ToolError


def told(url: str, message: str) -> str:
    config = from_dict({"plugins": {"corpus": {"truth": {"url": url}}}})
    return Discretion(config).error(ToolError("BACKEND_UNAVAILABLE", message)).message


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:p@db.internal:5432/wekadocs",
        "postgresql://u:p@db.internal/wekadocs",
        "postgresql://u:p@db.internal",
        "postgresql://u:p@db/wekadocs",
        "postgresql://u:p@db",
        "postgresql://db.internal/wekadocs?connect_timeout=2",
        "postgresql://u:p@db1.internal:5432,db2.internal:5433/wekadocs",
        "postgresql://u:p@db1.internal,db2.internal/wekadocs",
        "postgresql://u:p@db1,db2:5433/wekadocs",
        "postgresql://u:p@[fd00::1]/wekadocs",
        "postgresql://u:p@[fd00::1]:5432,db2.internal",
        "postgresql://u:p/q@db.internal/wekadocs",
    ],
)
def test_where_a_database_is_falls_away(url: str) -> None:
    said = told(url, f"{place(url)}: does not answer; check that it runs")
    assert said == "PostgreSQL does not answer; check that it runs"


def test_of_several_hosts_each_is_one() -> None:
    url = "postgresql://u:p@db1.internal:5432,db2.internal:5433/wekadocs"
    assert told(url, "db2.internal:5433 refuses") == "its server refuses"
    assert told(url, "PostgreSQL at db2.internal was closed") == "PostgreSQL was closed"
    nodes = "http://one.internal:6333,http://two.internal:6333"
    assert told(nodes, "no answer of http://two.internal:6333/collections") == "no answer of its server"


def test_a_host_that_is_a_word_stays_one() -> None:
    url = "postgresql://u:p@db/wekadocs"
    for text in ("look at db files", "at dbx/wekadocs: no", "the db: gone", "PostgreSQL at other.internal/db: no"):
        assert told(url, text) == text
