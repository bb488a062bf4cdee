"""Where the sources of this distribution are: at the top of the tree, or beside this file in an sdist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

HERE = Path(__file__).parent
_COPY = HERE / "tree"  # not called src: nothing is to be found there but by this hook
TOP = _COPY if _COPY.is_dir() else HERE.parents[1]
PACKAGES = ("wekadocs_contracts", "wekadocs_text", "wekadocs_tokens")
DATA = ("contracts/_schema", "contracts/_shared")  # what every contract may refer to; tools are the host's
VERSION = "src/wekadocs_mcp/__init__.py"


class CustomMetadataHook(MetadataHookInterface):
    """One version for both distributions."""

    def update(self, metadata: dict[str, Any]) -> None:
        found = re.search(r'__version__ = "([^"]+)"', (TOP / VERSION).read_text("utf-8"))
        assert found is not None
        metadata["version"] = found[1]


class CustomBuildHook(BuildHookInterface[Any]):
    def initialize(
        self,
        version: str,  # noqa: ARG002 - the hook's signature
        build_data: dict[str, Any],
    ) -> None:
        placed = build_data["force_include"]
        if self.target_name == "sdist":
            placed |= {str(TOP / "src" / name): f"tree/src/{name}" for name in PACKAGES}
            placed |= {str(TOP / name): f"tree/{name}" for name in (*DATA, VERSION, "LICENSE")}
        else:
            placed |= {str(TOP / "src" / name): name for name in PACKAGES}
            placed |= {str(TOP / name): f"wekadocs_contracts/_data/{name}" for name in DATA}
