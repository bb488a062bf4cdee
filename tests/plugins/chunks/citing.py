"""A server with citation projects, asked over MCP as the toolset `citeloom` serves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import qdrant_fake

from wekadocs_mcp.testing import Client, Reply, client_for

# Projects of each kind: a server is started once, and no test sees another's chunks.
FRESH = {"clean": 30, "lab": 220, "ddd": 30, "foreign": 60}
KINDS: dict[str, dict[str, Any]] = {
    "clean": {},
    "lab": {"min_batch": 1},
    "ddd": {"hybrid_enabled": False, "min_batch": 1},
    "foreign": {"embedding_model": "acme/other-3", "dimension": 3, "min_batch": 1},
}
PROJECTS: dict[str, Any] = {f"{kind}/p{n}": dict(given) for kind, given in KINDS.items() for n in range(FRESH[kind])}
OWN = "static-wordllama-256-v1"
Opened = Callable[..., Client]


def config(projects: dict[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
    chunks = {"enabled": True, "projects": PROJECTS if projects is None else projects, **settings}
    return {"extends": "shipped", "plugins": {"chunks": chunks}}


@pytest.fixture
def opened(tmp_path) -> Iterator[Opened]:
    """`opened({...projects})`: a client of a server on this test's data directory."""
    with ExitStack() as stack:

        def start(projects: dict[str, Any] | None = None, toolset: str = "citeloom", **settings: Any) -> Client:
            given = config(projects, **settings)
            toolsets = [toolset] if toolset else []
            return stack.enter_context(client_for(given, toolsets=toolsets, data_dir=tmp_path / "data"))

        yield start


@pytest.fixture(scope="session", params=["embedded", "qdrant"])
def client(request, tmp_path_factory) -> Iterator[Client]:
    """The same tests on both stores, and the same answers."""
    folder = tmp_path_factory.mktemp("chunks")
    with ExitStack() as stack:
        given = config()
        if request.param == "qdrant":
            fake = stack.enter_context(qdrant_fake.running())
            given["plugins"]["corpus"] = {"qdrant": {"url": fake.url}}
        yield stack.enter_context(client_for(given, toolsets=["citeloom"], data_dir=folder))


_used: dict[tuple[str, int], Iterator[int]] = {}  # by kind and by server; the first two are asked for by name


def _fresh(kind: str, client: Client) -> str:
    return f"{kind}/p{next(_used.setdefault((kind, id(client)), iter(range(2, FRESH[kind]))))}"


@pytest.fixture
def clean(client: Client) -> str:
    """A project as it is where nothing is set."""
    return _fresh("clean", client)


@pytest.fixture
def lab(client: Client) -> str:
    """One that takes a batch of any size."""
    return _fresh("lab", client)


@pytest.fixture
def ddd(client: Client) -> str:
    """One without hybrid search."""
    return _fresh("ddd", client)


@pytest.fixture
def foreign(client: Client) -> str:
    """One whose model the server does not have."""
    return _fresh("foreign", client)


def done(reply: Reply) -> dict[str, Any]:
    assert reply.error is None, reply.error
    assert reply.data is not None
    return reply.data


def refused(reply: Reply, code: str) -> dict[str, Any]:
    assert reply.error is not None, reply.data
    assert reply.error["code"] == code, reply.error
    return reply.error


def passage(number: int, text: str = "", **metadata: Any) -> dict[str, Any]:
    doc = {"id": "paper", "page_span": [number + 1, number + 2], "section_path": ["Part I", f"Chapter {number % 3}"]}
    return {"text": text or f"Passage number {number} of the paper on layers.", "metadata": {"doc": doc, **metadata}}
