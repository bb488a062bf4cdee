"""The driver, imported when a database is first asked for, and how values go to and fro."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_corpus.store.errors import StoreError

from . import arrays

if TYPE_CHECKING:
    import psycopg

MISSING = "truth.url names a PostgreSQL database, which needs an extra: pip install 'wekadocs-mcp[postgres]'"
# The planner's habits for small questions by index; nothing here needs to be known before.
_HABITS = {
    "tcp_keepalives_idle": "10",  # seconds: what a machine that died holds is free soon
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "jit": "off",
    "plan_cache_mode": "force_generic_plan",  # by index whatever the values: to plan anew takes longer than to answer
    "max_parallel_workers_per_gather": "0",
    "random_page_cost": "1.1",
    "timezone": "UTC",
}


def load() -> None:
    """Raises where the extra is missing."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise StoreError(MISSING) from None


def connect(url: str, schema: str, seconds: float) -> psycopg.Connection[Any]:
    """In autocommit: transactions are begun and ended by us, with the first and after the last statement."""
    import psycopg

    connection = psycopg.connect(
        url,
        autocommit=True,
        connect_timeout=max(1, round(seconds)),
        application_name="wekadocs-mcp",
        keepalives_idle=30,
        prepare_threshold=1,
    )
    try:
        _adapt(connection)
        chosen = {**_HABITS, "search_path": f'"{schema}"'}
        calls = ", ".join("set_config(%s, %s, false)" for _ in chosen)
        connection.execute(f"SELECT {calls}", [each for pair in chosen.items() for each in pair])
    except BaseException:
        connection.close()
        raise
    return connection


def _adapt(connection: psycopg.Connection[Any]) -> None:
    """Whole numbers always go as eight bytes: as few as fit would be shifted out of their type. Truth values go as
    numbers, as SQLite has them; sums come back as Python's own numbers."""
    from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper, NumericBinaryLoader

    class Plain(NumericBinaryLoader):
        def load(self, data: Any) -> Any:
            found = super().load(data)
            return int(found) if found == found.to_integral_value() else float(found)

    class Truthful(Int8BinaryDumper):
        def dump(self, obj: Any) -> Any:
            return super().dump(int(obj))

    connection.adapters.register_dumper(bool, Truthful)
    connection.adapters.register_dumper(int, Int8Dumper)
    connection.adapters.register_dumper(int, Int8BinaryDumper)
    connection.adapters.register_loader("numeric", Plain)
    arrays.adapt(connection)
