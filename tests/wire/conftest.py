"""What the wire tests share: the installed console script as a subprocess, drop-in tools, and a bounded patience."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from .servers import Http, World
from .usual_tools import furnish


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A module with BOTH_WAYS is run with the SDK's short-cuts, and as if it had none of them."""
    both = getattr(metafunc.module, "BOTH_WAYS", False)
    only = metafunc.function.__name__ in getattr(metafunc.module, "QUICK_ONLY", ())
    if both and not only and "sdk_way" in metafunc.fixturenames:
        metafunc.parametrize("sdk_way", ["quick", "public"], indirect=True, scope="module")


@pytest.fixture(scope="module")
def sdk_way(request: pytest.FixtureRequest) -> str:
    return getattr(request, "param", "quick")


@pytest.fixture
def world(tmp_path: Path, sdk_way: str) -> Iterator[World]:
    """An empty world for one test."""
    made = World(tmp_path, sdk_way)
    yield made
    made.close()


@pytest.fixture
def furnished(world: World) -> World:
    """A world of its own with the usual tools."""
    return furnish(world)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, sdk_way: str) -> Iterator[World]:
    """A furnished world for all tests of a module that change nothing in it."""
    made = furnish(World(tmp_path_factory.mktemp("shared"), sdk_way))
    yield made
    made.close()


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory, sdk_way: str, ingested_sample: Path) -> Iterator[World]:
    """Another one, with the sample documentation, which is there before any server is."""
    made = furnish(World(tmp_path_factory.mktemp("documented"), sdk_way))
    shutil.copytree(ingested_sample, made.environment["WEKADOCS_DATA"], dirs_exist_ok=True)
    yield made
    made.close()


@pytest.fixture(scope="module")
def served(shared: World) -> Http:
    """One HTTP server for the module."""
    return shared.http()
