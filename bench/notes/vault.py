"""A vault of any size, made up: notes in folders, with front matter, tags and links, the same every time."""

from __future__ import annotations

import random
from pathlib import Path

TOPICS = ["kubernetes", "gardening", "sourdough", "astronomy", "typography"]
TOPICS += ["chess", "sailing", "philosophy", "jazz", "geology"]
VERBS = ["explains", "contradicts", "extends", "summarises", "questions", "applies", "measures", "recalls"]
NOUNS = ["theory", "practice", "method", "history", "argument", "example", "tool", "result", "mistake", "pattern"]


def make(folder: Path, count: int, seed: int = 1) -> list[str]:
    """The notes' ids; every note links to a few others, and some to notes that are not there."""
    rng = random.Random(seed)
    names = [f"{rng.choice(TOPICS)} {rng.choice(NOUNS)} {number}" for number in range(count)]
    ids = [f"{name.split()[0]}/{name.replace(' ', '-')}.md" for name in names]
    for topic in TOPICS:
        (folder / topic).mkdir(parents=True, exist_ok=True)
    for number, id in enumerate(ids):
        (folder / id).write_text(_text(rng, names, number), "utf-8")
    return ids


def _text(rng: random.Random, names: list[str], number: int) -> str:
    topic = names[number].split()[0]
    links = [names[rng.randrange(max(1, int(number**0.9)) or 1)] for _ in range(rng.randrange(2, 9))]
    links += [names[(number + 1) % len(names)]]
    links += [f"missing {rng.randrange(len(names) // 20 + 1)}"] if rng.random() < 0.1 else []
    status = rng.choice(["draft", "done"])
    parts = [f"---\ntags: [{topic}, {rng.choice(NOUNS)}]\nstatus: {status}\nrank: {number}\n---\n"]
    for place, link in enumerate(links):
        if place % 4 == 0:
            parts.append(f"## {rng.choice(NOUNS).title()} {place}\n\n")
        said = [_sentence(rng, topic) for _ in range(rng.randrange(2, 6))]
        parts.append(" ".join([*said, f"See [[{link}]] for more."]) + "\n\n")
    return "".join(parts) + f"The mark of this note is quince{number}.\n"


def _sentence(rng: random.Random, topic: str) -> str:
    return f"This {topic} {rng.choice(NOUNS)} {rng.choice(VERBS)} the {rng.choice(NOUNS)}."
