"""`pytest --wekadocs-plugins DIR`: checks every contract and drop-in plugin below DIR, one test each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("wekadocs-mcp")
    group.addoption(
        "--wekadocs-plugins", action="append", default=[], metavar="DIR", help="Check the drop-in tools in DIR."
    )


def pytest_collection(session: pytest.Session) -> None:
    """Folders to check need no test file: they are collected from the option."""
    for folder in session.config.getoption("--wekadocs-plugins"):
        if not Path(folder).is_dir():
            raise pytest.UsageError(f"--wekadocs-plugins {folder}: there is no such folder")


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    for folder in config.getoption("--wekadocs-plugins"):
        collector = PluginFolder.from_parent(session, name=f"wekadocs:{folder}", folder=Path(folder))
        items.extend(collector.collect())


class PluginFolder(pytest.Collector):
    def __init__(self, *, folder: Path, **rest: Any) -> None:
        super().__init__(**rest)
        self.folder = folder

    def collect(self) -> Iterator[pytest.Item]:
        yield PluginCheck.from_parent(self, name="contracts and examples hold")


class PluginCheck(pytest.Item):
    parent: PluginFolder

    def runtest(self) -> None:
        from .testing import check_plugin

        check_plugin(self.parent.folder)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from .testing import CheckFailed

        if isinstance(excinfo.value, CheckFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.parent.folder, None, f"{self.parent.folder}: {self.name}"


@pytest.fixture
def wekadocs_client() -> Iterator[Any]:
    """`wekadocs_client(plugins=[DIR])` → a connected client, closed after the test."""
    import contextlib

    from .testing import client_for

    with contextlib.ExitStack() as stack:
        yield lambda **options: stack.enter_context(client_for(**options))
