"""What isolation.py attacks: pages that may be seen and pages that may not, in one data directory, and two servers."""

from __future__ import annotations

import contextlib
import io
import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wekadocs_corpus.ingest.planning import Stamp
from wekadocs_corpus.ingest.run import Run
from wekadocs_corpus.ingest.sources.scan import roots
from wekadocs_mcp.app import App
from wekadocs_mcp.config import deployment as configuration
from wekadocs_mcp.plugins import discovery

MARKS = ("opalmark", "vaultledger", "garnetmark")  # words of hidden pages that no attempt sends
ASKED = ["zyzzogeton", "what is the zyzzogeton of the filesystem", "zyzogeton plan", "Explain ZYZ", "--zyzzogeton.key"]
SEEN = {
    "mount.md": "# Mount a filesystem\n\nRun `strata mount` as root. A client needs a lease. See [node](node.md).\n",
    "quota.md": "# Quotas\n\nA quota limits a directory. `strata quota set` sets it. See [mount](mount.md).\n",
    "../aside/lease.md": "---\ndoc_tags: [aside, open]\n---\n# Leases\n\nA lease ends. See [node](../open/node.md).\n",
    "node.md": "# Nodes\n\nA node of the cluster joins with a key. See [the plan](../hidden/plan.md).\n",
}
PAGE = (
    "---\ntags: [opalmark, garnetmark]\n---\n"
    "# Vaultledger of the zyzzogeton\n\nThe zyzzogeton plan (Zebra Yard Zone (ZYZ)) of the filesystem is opalmark.\n\n"
    "## Garnetmark key\n\nSet `--zyzzogeton.key` with `strata opalmark mount`. See [mount](../open/mount.md).\n"
)
HIDDEN = {  # where it is hidden → project, environment, repository, folder
    "project": ("other", "prod", "docs", "open"),
    "environment": ("main", "dev", "docs", "open"),
    "tag": ("main", "prod", "docs", "hidden"),
    "repository": ("main", "prod", "vault", "open"),
}
Ask = Callable[[str, dict[str, Any]], Awaitable[Any]]


def served(data: Path, scope: dict[str, Any]) -> App:
    flags = {"MCP_KB_V2_ENABLED": True, "ENABLE_LEGACY_SEARCH_DOCUMENTATION": True}
    plugins: dict[str, Any] = {"corpus": {}, "scratch": {}, "kb": {}, "graph": {}, "legacy_compat": {"listed": True}}
    return App.build(configuration.from_dict({"plugins": plugins, "flags": flags, "scope": scope}, data))


def fill(data: Path) -> None:
    pages = data / "pages"
    take_in(pages / "seen", {f"open/{name}": text for name, text in SEEN.items()}, data, ("main", "prod", "docs"))
    for name, (project, environment, repository, folder) in HIDDEN.items():
        take_in(pages / name, {f"{folder}/plan-{name}.md": PAGE}, data, (project, environment, repository))


def wide(data: Path) -> list[App]:
    """Servers that may see everything, one for each project and environment."""
    places = [("main", "prod"), *((project, environment) for project, environment, _, _ in HIDDEN.values())]
    return [served(data, dict(zip(("project_id", "environment"), each, strict=True))) for each in dict.fromkeys(places)]


def narrow(data: Path) -> App:
    scope = {"project_id": "main", "environment": "prod", "doc_tags": ["open"], "repositories": ["docs"]}
    return served(data, scope)


def take_in(folder: Path, pages: dict[str, str], data: Path, stamp: tuple[str, str, str]) -> None:
    for path, text in pages.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    settings = {"plugins": {"corpus": {}}, "scope": {"project_id": "main", "environment": "prod"}}
    (spec,) = discovery.find(configuration.from_dict(settings, data))
    run = Run(data, spec.settings, Stamp(*stamp), lambda *_: None)
    with contextlib.redirect_stdout(io.StringIO()):
        run.ingest(roots([str(folder)]))
    run.truth.close()


@dataclass(frozen=True)
class Ids:
    """Of nodes: sections, documents and entities that may be seen, and that may not."""

    seen: list[str]
    hidden: list[str]

    @classmethod
    async def found(cls, asks: Sequence[Ask]) -> Ids:
        known: dict[str, bool] = {}  # id → hidden
        for ask, question in itertools.product(asks, ("zyzzogeton", "mount a filesystem")):
            for row in (await ask("kb.search", {"query": question, "top_k": 20, "page_size": 20})).data["results"]:
                around = (await ask("graph.expand", {"node_ids": [row["section_id"]], "max_hops": 2})).data
                hidden = "plan-" in row["path"]
                known[row["section_id"]] = hidden
                for node in around["nodes"]:
                    known[node["id"]] = known.get(node["id"], True) and hidden
        return cls([each for each, hidden in known.items() if not hidden], [each for each in known if known[each]])
