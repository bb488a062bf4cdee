"""Attempts to read what a scope, a session or a principal keeps apart: every tool, resources and cursors, in memory.

python bench/attack/isolation.py [--rounds 20] [--seed 1]

One data directory holds pages of another project, environment, tag and repository, each with words that no attempt
sends. A server that may see none of them is asked for them in every way there is; another caller's handles are tried on
every tool that takes one. An attempt that brings such a word, or what belongs to another caller, is a leak: exit 1.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from isolation_world import ASKED, MARKS, Ids, fill, narrow, wide

from wekadocs_mcp.app import App
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.testing import connect

Attempt = tuple[str, str, dict[str, Any]]  # kind, tool, arguments
THIEF = Caller(principal="thief", session="thief")
VICTIM = Caller(principal="victim", session="victim")
IDS = {
    "node_ids": list,
    "section_ids": list,
    "entity_ids": list,
    "passage_ids": list,
    "a_ids": list,
    "b_ids": list,
    "start_ids": list,
    "seeds": list,
    "parent_id": str,
    "section_id": str,
    "document_id": str,
    "passage_id": str,
}
SCOPES = [
    {"project_id": "other"},
    {"environment": "dev"},
    {"doc_tags": ["hidden"]},
    {"doc_tags": ["open", "hidden"]},
    {"repositories": ["vault"]},
    {"repositories": ["docs", "vault"]},
    {"project_id": "main", "environment": "dev", "doc_tags": ["open"]},
]
FILTERS: list[dict[str, Any]] = [
    {"doc_tag": ["hidden"]},
    {"doc_tag": ["open", "hidden"]},
    {"path_prefix": "hidden/"},
    {"path_prefix": "../hidden/"},
    {"path_prefix": ""},
    {"updated_after": "1970-01-01"},
]
OLD_FILTERS: list[dict[str, Any]] = [{"doc_tag": "hidden"}, {"doc_tag": ["open", "hidden"]}, {"lang": "en"}]


class Server:
    def __init__(self, app: App) -> None:
        self.app = app
        self.tools = {tool.contract.name: tool.input for tool in app.catalogue.callable.values()}

    async def ask(self, tool: str, arguments: dict[str, Any], caller: Caller = THIEF) -> Any:
        return await self.app.dispatcher.call(tool, arguments, caller)


def questions(server: Server) -> Iterator[str]:
    for name, schema in server.tools.items():
        if {"query", "question"} & set(schema["properties"]):
            yield name


def searches(server: Server) -> Iterator[Attempt]:
    """Words that only hidden pages have, in every mode, scope and filter."""
    for tool in questions(server):
        properties = server.tools[tool]["properties"]
        word = "query" if "query" in properties else "question"
        given = [{word: each} for each in ASKED]
        ways: list[dict[str, Any]] = [{}]
        if "scope" in properties:
            ways += [{"scope": scope} for scope in SCOPES]
        if "filters" in properties:
            ways += [{"filters": each} for each in (FILTERS if tool.startswith("kb.") else OLD_FILTERS)]
        if "mode" in properties:
            ways += [{"mode": mode} for mode in ("vector_only", "hybrid_local")]
        for asked in given if "passage_ids" not in properties else ():
            for way in ways:
                yield "search", tool, {**asked, **way}


def named(server: Server, ids: Ids, chance: random.Random, rounds: int) -> Iterator[Attempt]:
    """Ids of hidden pages, as they are, mixed with visible ones, and mangled, wherever an id is taken."""
    for tool, schema in server.tools.items():
        wanted = [name for name in schema["properties"] if name in IDS]
        if not wanted or "passage_ids" in wanted:
            continue
        for _ in range(rounds):
            hidden = [chance.choice(ids.hidden) for _ in range(3)]
            arguments: dict[str, Any] = {"quote": "word"} if "quote" in schema["properties"] else {}
            for name in wanted:
                several = [*hidden, chance.choice(ids.seen), _mangled(chance, hidden[0])]
                arguments[name] = several if IDS[name] is list else chance.choice(several)
            for name in ("include_snippet", "include_text"):
                if name in schema["properties"]:
                    arguments[name] = True
            if "scope" in schema["properties"] and chance.random() < 0.3:
                arguments["scope"] = chance.choice(SCOPES)
            yield "ids", tool, arguments


def stolen(server: Server, handles: dict[str, list[str]], chance: random.Random, rounds: int) -> Iterator[Attempt]:
    """Passages, sessions and cursors of another caller on the same server."""
    for tool, schema in server.tools.items():
        properties = schema["properties"]
        for _ in range(rounds if tool.startswith("kb.") else 0):
            passage, session = chance.choice(handles["passages"]), chance.choice(handles["sessions"])
            arguments: dict[str, Any] = {"quote": "mount"} if "quote" in properties else {}
            arguments |= {name: "mount a filesystem" for name in ("query", "question") if name in properties}
            if "passage_id" in properties:
                yield "stolen", tool, {**arguments, "passage_id": passage}
                arguments["passage_id"] = _mangled(chance, passage)
            if "passage_ids" in properties:
                yield "stolen", tool, {**arguments, "passage_ids": [passage]}
                arguments["passage_ids"] = [_mangled(chance, passage)]
            yield "stolen", tool, {**arguments, "session_id": session}
            if "cursor" in properties:
                yield "stolen", tool, {**arguments, "page_size": 1, "cursor": chance.choice(handles["cursors"])}


def _mangled(chance: random.Random, text: str) -> str:
    place = chance.randrange(len(text))
    return chance.choice([text[:place] + "x" + text[place + 1 :], text.upper(), f"{text}%00", f"../{text}", text[::-1]])


async def victims(server: Server) -> dict[str, list[str]]:
    handles: dict[str, list[str]] = {"passages": [], "sessions": [], "cursors": []}
    for question in ("mount a filesystem", "quota of a directory", "node of the cluster"):
        found = (await server.ask("kb.search", {"query": question, "page_size": 1}, VICTIM)).data
        handles["passages"] += [row["passage_id"] for row in found["results"]]
        handles["sessions"].append(found["session_id"])
        handles["cursors"] += [found["next_cursor"]] if found["next_cursor"] else []
    return handles


def leaked(kind: str, arguments: dict[str, Any], outcome: Any) -> bool:
    said = json.dumps([outcome.data, outcome.content, outcome.error], ensure_ascii=False).lower()
    sent = json.dumps(arguments).lower()
    return any(mark in said and mark not in sent for mark in MARKS) or (kind == "stolen" and outcome.error is None)


async def resources(app: App, handles: dict[str, list[str]]) -> tuple[int, int]:
    """Another caller's passages, as resources: attempts, and how many were read."""
    from mcp import MCPError

    tried = read = 0
    async with connect(app) as client:
        for session in [*handles["sessions"], "unknown", ".."]:
            for passage in [*handles["passages"], "unknown", *(each[::-1] for each in handles["passages"])]:
                for uri in (f"wekadocs://scratch/{session}/{passage}", f"wekadocs://scratch/{session}/x/../{passage}"):
                    tried += 1
                    try:
                        await client.read_resource(uri)
                        read += 1
                    except MCPError:
                        continue
    return tried, read


async def campaign(data: Path, rounds: int, seed: int) -> int:
    chance, everything = random.Random(seed), [Server(app) for app in wide(data)]
    ids = await Ids.found([each.ask for each in everything])
    for each in everything:
        await each.app.close()
    server = Server(narrow(data))
    handles = await victims(server)
    counts: Counter[tuple[str, str]] = Counter()
    attempts = [*searches(server), *named(server, ids, chance, rounds), *stolen(server, handles, chance, rounds)]
    for kind, tool, arguments in attempts:
        outcome = await server.ask(tool, arguments)
        leak = leaked(kind, arguments, outcome)
        counts[kind, "leaked" if leak else outcome.error["error"]["code"] if outcome.error else "answered"] += 1
        if leak:
            print("LEAK", tool, json.dumps(arguments)[:300])
    tried, read = await resources(server.app, handles)
    counts["resources", "leaked"], counts["resources", "refused"] = read, tried - read
    for (kind, outcome_of), count in sorted(counts.items()):
        print(f"{kind:10} {outcome_of:20} {count:6}")
    leaks = sum(count for (_, outcome_of), count in counts.items() if outcome_of == "leaked")
    print(f"{sum(counts.values())} attempts on {len(server.tools)} tools and resources: {leaks} leaks")
    return 1 if leaks else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, help="attempts of each kind on each tool")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder))
        return asyncio.run(campaign(Path(folder), options.rounds, options.seed))


if __name__ == "__main__":
    raise SystemExit(main())
