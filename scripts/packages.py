"""What other installers read, made from pyproject.toml, contracts and playbook: `python scripts/packages.py [--check]`.

Dockerfile, .mcpb manifest, server.json of the MCP registry, Gemini extension, Claude Code plugin, Agent Skill, and the
links in README. Nothing in them is written a second time by hand.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from wekadocs_mcp import __version__
from wekadocs_mcp.testing import app_from

ROOT = Path(__file__).resolve().parents[1]
OWNER, SHORT = "wekadocs", "wekadocs"
REPOSITORY = "https://github.com/wekadocs/wekadocs-mcp"
REGISTRY_NAME = "io.github.wekadocs/wekadocs-mcp"
IMAGE = "ghcr.io/wekadocs/wekadocs-mcp"
TOLD = "Answers from your documentation, word for word and cited; tools declared in versioned contracts."
MADE = "Made by scripts/packages.py"
_DOCS = "The folder with your documentation: Markdown, HTML, PDF, Word and more."
_SKILL = (
    f"How to answer from the user's own documentation with the {SHORT} MCP server, cited word for word. Use when a "
    "question is about a product, command, option, error or procedure that this documentation may have."
)
_BEGIN, _END = "<!-- packages:begin -->", "<!-- packages:end -->"


def project() -> dict[str, Any]:
    data: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return data


def listed() -> list[Mapping[str, Any]]:
    """The tools that a server lists with the shipped tools.yaml."""
    with tempfile.TemporaryDirectory() as folder:
        app = app_from({"extends": "shipped"}, data_dir=folder)
        return [
            {"name": tool.name, "title": tool.title, "use": tool.description.partition("\n")[0]}
            for tool in app.catalogue.listed
        ]


def files() -> dict[str, str]:
    """Path → text, of all of them."""
    about, tools = project(), listed()
    return {
        "Dockerfile": dockerfile(about),
        ".dockerignore": f"# {MADE}.\n*\n!contracts\n!docs/sample/docs\n!plugins\n!src\n!LICENSE\n!README.md\n"
        "!pyproject.toml\n!requirements.lock\n!tools.yaml\n**/__pycache__\n",
        "packages/mcpb/manifest.json": _json(mcpb(about, tools)),
        "packages/mcpb/server.py": f'"""{MADE}: what a host starts that does not know uvx."""\n\n'
        "from wekadocs_mcp.entry import main\n\nmain()\n",
        "server.json": _json(registry_entry()),
        "gemini-extension.json": _json(gemini()),
        ".claude-plugin/plugin.json": _json(claude_plugin(about)),
        ".claude-plugin/marketplace.json": _json(marketplace()),
        f"skills/{SHORT}/SKILL.md": skill(tools),
        "README.md": readme((ROOT / "README.md").read_text("utf-8")),
    }


def served(*more: str) -> list[str]:
    return ["--from", f"{project()['name']}=={__version__}", "wekadocs-mcp", "serve", *more]


def dockerfile(about: Mapping[str, Any]) -> str:
    return f"""\
# {MADE}. stdio:  docker run -i --rm -v ./docs:/docs:ro -v wekadocs:/data {IMAGE} serve --docs /docs
# HTTP:   docker run --rm -p 127.0.0.1:8765:8765 -e MCP_AUTH_TOKEN -v wekadocs:/data {IMAGE} \\
#           serve --transport http --host 0.0.0.0
FROM python:3.12-slim AS build
COPY . /src
RUN python -m venv /opt/wekadocs \\
 && /opt/wekadocs/bin/pip install --no-cache-dir --disable-pip-version-check -c /src/requirements.lock \\
      '/src[documents,postgres,valkey]'

FROM python:3.12-slim
LABEL io.modelcontextprotocol.server.name="{REGISTRY_NAME}" \\
      org.opencontainers.image.title="{about["name"]}" \\
      org.opencontainers.image.version="{__version__}" \\
      org.opencontainers.image.source="{REPOSITORY}" \\
      org.opencontainers.image.licenses="{about["license"]}"
RUN useradd --system --uid 10001 --create-home --home-dir /data wekadocs
COPY --from=build /opt/wekadocs /opt/wekadocs
ENV PATH=/opt/wekadocs/bin:$PATH WEKADOCS_DATA=/data WEKADOCS_CACHE=/data/.cache PYTHONUNBUFFERED=1
USER 10001
VOLUME /data
EXPOSE 8765
ENTRYPOINT ["wekadocs-mcp"]
CMD ["serve"]
"""


def mcpb(about: Mapping[str, Any], tools: list[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "manifest_version": "0.3",
        "name": about["name"],
        "display_name": "wekadocs",
        "version": __version__,
        "description": TOLD,
        "author": {"name": OWNER, "url": REPOSITORY},
        "repository": {"type": "git", "url": REPOSITORY},
        "documentation": about["urls"]["Documentation"],
        "license": about["license"],
        "keywords": about["keywords"],
        "server": {
            "type": "python",
            "entry_point": "server.py",
            "mcp_config": {"command": "uvx", "args": served("--docs", "${user_config.docs}")},
        },
        "tools": [{"name": tool["name"], "description": tool["title"]} for tool in tools],
        "compatibility": {
            "platforms": ["darwin", "linux", "win32"],
            "runtimes": {"python": about["requires-python"]},
        },
        "user_config": {
            "docs": {"type": "directory", "title": "Documentation", "description": _DOCS, "required": True}
        },
    }


def registry_entry() -> dict[str, Any]:
    stdio = {"type": "stdio"}
    serve: list[dict[str, Any]] = [{"type": "positional", "value": "serve"}]
    docs = {"type": "named", "name": "--docs", "description": _DOCS, "format": "filepath", "isRequired": False}
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": REGISTRY_NAME,
        "title": "wekadocs",
        "description": TOLD,
        "version": __version__,
        "repository": {"url": REPOSITORY, "source": "github"},
        "packages": [
            {
                "registryType": "pypi",
                "registryBaseUrl": "https://pypi.org",
                "identifier": project()["name"],
                "version": __version__,
                "runtimeHint": "uvx",
                "transport": stdio,
                "packageArguments": [*serve, docs],
            },
            {
                "registryType": "oci",
                "identifier": f"{IMAGE}:{__version__}",
                "runtimeHint": "docker",
                "transport": stdio,
                "packageArguments": serve,
            },
        ],
    }


def gemini() -> dict[str, Any]:
    return {
        "name": SHORT,
        "version": __version__,
        "description": TOLD,
        "mcpServers": {SHORT: {"command": "uvx", "args": served()}},
        "contextFileName": f"skills/{SHORT}/SKILL.md",
    }


def claude_plugin(about: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": SHORT,
        "version": __version__,
        "description": TOLD,
        "author": {"name": OWNER, "url": REPOSITORY},
        "homepage": about["urls"]["Documentation"],
        "repository": REPOSITORY,
        "license": about["license"],
        "keywords": about["keywords"],
        "mcpServers": {SHORT: {"command": "uvx", "args": served()}},
    }


def marketplace() -> dict[str, Any]:
    plugin = {"name": SHORT, "source": "./", "description": TOLD, "version": __version__}
    return {"name": SHORT, "description": TOLD, "owner": {"name": OWNER, "url": REPOSITORY}, "plugins": [plugin]}


def skill(tools: list[Mapping[str, Any]]) -> str:
    """How to use the tools, from the playbook, and when to use which, from the contracts."""
    playbook = (ROOT / "docs" / "mcp" / "retrieval_playbook.md").read_text("utf-8")
    body = re.sub(r"\A# [^\n]*\n+|<!--.*?-->\n*", "", playbook, flags=re.DOTALL)
    body = re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]*\)", r"\1", body)  # links to pages that a skill does not have
    rows = "\n".join(f"| `{tool['name']}` | {tool['use']} |" for tool in tools)
    return f"""\
---
name: {SHORT}
description: {_SKILL}
license: {project()["license"]}
---

<!-- {MADE}. -->

# Answer from the documentation

{body.strip()}

## The tools

| tool | when |
|---|---|
{rows}
"""


def readme(text: str) -> str:
    """With the block of links between its two marks made anew."""
    before, found, rest = text.partition(_BEGIN)
    _, closed, after = rest.partition(_END)
    if not found or not closed:
        sys.exit(f"README.md has lost {_BEGIN} or {_END}: the links stand between them")
    return f"{before}{_BEGIN}\n{links()}{_END}{after}"


def links() -> str:
    config = {"command": "uvx", "args": served()}
    plain = json.dumps(config, separators=(",", ":"))
    vscode = f"https://vscode.dev/redirect/mcp/install?name={SHORT}&config={quote(plain, safe='')}"
    encoded = base64.b64encode(plain.encode()).decode()
    cursor = f"https://cursor.com/en/install-mcp?name={SHORT}&config={quote(encoded, safe='')}"
    return f"""\
<!-- {MADE}. mcp-name: {REGISTRY_NAME} -->
| client | from a release |
|---|---|
| VS Code | [install with one click]({vscode}) |
| Cursor | [install with one click]({cursor}) |
| Claude Code | `/plugin marketplace add {OWNER}/wekadocs-mcp`, then `/plugin install {SHORT}@{SHORT}` |
| Claude Desktop | open the `.mcpb` file of the release |
| Gemini CLI | `gemini extensions install {REPOSITORY}` |
| Docker | `docker run -i --rm -v ./docs:/docs:ro -v wekadocs:/data {IMAGE} serve --docs /docs` |
| any other | `uvx wekadocs-mcp serve --docs ./docs`, or `pipx install wekadocs-mcp` |
"""


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def main() -> None:
    made = files()
    stale = [name for name, text in made.items() if not _same(ROOT / name, text)]
    if "--check" in sys.argv[1:]:
        for name in stale:
            print(f"{name} is stale: run `python scripts/packages.py`", file=sys.stderr)
        print(f"{len(made)} files, {len(stale)} stale")
        sys.exit(1 if stale else 0)
    for name in stale:
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(made[name], encoding="utf-8", newline="\n")
        print(f"wrote {name}")


def _same(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


if __name__ == "__main__":
    main()
