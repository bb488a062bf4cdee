"""A PostgreSQL truth that nobody else has."""

from collections.abc import Iterator

import pytest
from postgres_server import dropped, postgres_server


@pytest.fixture
def settings() -> Iterator[dict[str, str]]:
    server = postgres_server()
    chosen = server.settings
    with dropped(server, chosen["schema"]):
        yield chosen
