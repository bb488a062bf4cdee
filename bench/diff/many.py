"""A repository of contracts of the usual size: published, tagged, then changed a little, as a pull request would."""

from __future__ import annotations

import subprocess
from pathlib import Path

CONTRACT = """\
contract: bench.{name}
version: 1.0.0
status: stable
title: {title}
routing:
  use_when: you look for {name} by words, tags or time
  do_not_use_when: you already have the id of what you look for
  returns: At most {{{{ max.top_k }}}} rows with id, title, score and a quote.
  follow_up: Pass an id on to bench.get.
annotations: {{readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false}}
input:
  type: object
  required: [query]
  additionalProperties: false
  properties:
    query: {{type: string, minLength: 1, maxLength: 400, description: What to look for.}}
    top_k: {{type: integer, minimum: 1, maximum: 50, default: 10, description: How many rows.}}
    order: {{enum: [score, newest, oldest], default: score, description: Which row comes first.}}
    since: {{type: string, pattern: '^\\d{{4}}-\\d{{2}}-\\d{{2}}$', description: Nothing older than this day.}}
    tags: {{type: array, items: {{type: string, maxLength: 40}}, maxItems: 20, description: All of these.}}
    filter:
      description: Where to look.
      type: object
      properties:
        product: {{type: string}}
        kind: {{enum: [guide, reference, note]}}
output:
  type: object
  required: [rows]
  properties:
    rows:
      type: array
      items:
        type: object
        required: [id, title, score]
        properties:
          id: {{type: string}}
          title: {{type: string}}
          score: {{type: number, minimum: 0, maximum: 1}}
          quote: {{type: [string, 'null']}}
    next_cursor: {{type: string}}
text: "{{% for row in rows %}}{{{{ row.id }}}} {{{{ row.title }}}}{{% endfor %}}"
errors: [NOT_FOUND, TOO_BROAD]
argument_aliases: {{q: query, limit: top_k}}
examples:
  - arguments: {{query: mount a filesystem, top_k: 3}}
"""
# What a pull request does to some of them: one break, one addition, one matter of words.
EDITS = (("maximum: 50", "maximum: 20"), ("maxLength: 400", "maxLength: 800"), ("Which row comes first.", "The order."))


def write(folder: Path, count: int) -> None:
    contracts = folder / "contracts"
    contracts.mkdir(parents=True)
    for number in range(count):
        text = CONTRACT.format(name=f"find_{number:02d}", title=f"Find things, kind {number}")
        (contracts / f"find_{number:02d}.v1.yaml").write_text(text, "utf-8")
    _git(folder, "init", "-q", "-b", "main")
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", "First release")
    _git(folder, "tag", "v1.0.0")


def change(folder: Path, count: int) -> None:
    """Edits the first `count` contracts, turn by turn with another kind of edit."""
    for number, path in enumerate(sorted((folder / "contracts").glob("*.yaml"))[:count]):
        path.write_text(path.read_text("utf-8").replace(*EDITS[number % len(EDITS)]), "utf-8")


def _git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)
