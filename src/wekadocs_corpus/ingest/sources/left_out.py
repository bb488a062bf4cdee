"""What an ingest does not read, by the rule that says so."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

NO_FILE, NO_ENDING = "links and pipes", "without an ending"  # kinds, beside file endings


@dataclass
class LeftOut:
    """Counted while folders are looked through; a folder that is left out counts once, whatever is in it."""

    kinds: Counter[str] = field(default_factory=Counter)  # files that no reader is for, by their ending
    ignored: Counter[str] = field(default_factory=Counter)  # documents and folders, by the ignore file that names them
    tool_folders: Counter[str] = field(default_factory=Counter)  # by name
    fragments: Counter[str] = field(default_factory=Counter)  # templates and partials: folders by name, files by ending
    blocked: list[Path] = field(default_factory=list)  # folders that cannot be read

    def sentence(self, most: int = 6) -> str:
        """The commonest first, as a list; "" when all was read."""
        found = [*self.kinds.most_common(), *((f"ignored by {file}", n) for file, n in self.ignored.most_common())]
        found += [(f"folder{'s' * (n > 1)} {name}", n) for name, n in self.tool_folders.most_common()]
        found += [
            (f"partial {name}" if name.endswith("/") else f"partials {name}", n)
            for name, n in self.fragments.most_common()
        ]
        others = sum(count for _, count in found[most:])
        told = ", ".join(f"{count:,} {what}" for what, count in found[:most])
        return f"{told}, {others:,} others" if others else told
