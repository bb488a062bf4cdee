"""A package that announces a plugin, put where installed packages are."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a package with contract, code and entry point where installed packages are."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))

    def put(name: str, code: str, schema: Any = None, contracts: dict[str, str] | None = None) -> Path:
        package = site / f"installed_{name}"
        package.mkdir(exist_ok=True)
        (package / "__init__.py").write_text("from wekadocs_mcp import ToolError, hookimpl, tool\n" + code)
        if schema is not None:
            (package / "settings.schema.json").write_text(json.dumps(schema))
        for file, text in (contracts or {}).items():
            (package / "contracts").mkdir(exist_ok=True)
            (package / "contracts" / file).write_text(text)
        info = site / f"installed_{name}-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: installed-{name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[wekadocs_mcp]\n{name} = installed_{name}\n")
        monkeypatch.delitem(sys.modules, f"installed_{name}", raising=False)
        return package

    yield put
    for name in [name for name in sys.modules if name.startswith("installed_")]:
        del sys.modules[name]
