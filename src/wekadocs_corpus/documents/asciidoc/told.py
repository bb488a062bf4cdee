"""What is said of a block in the lines above it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_VALUE = re.compile(r"""([\w%-]+)[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|([^,]*))""")


@dataclass
class Told:
    """What stands above a block and is said of it."""

    style: str = ""
    second: str = ""  # for code its language
    values: dict[str, str] = field(default_factory=dict)
    options: set[str] = field(default_factory=set)
    title: str = ""
    anchor: str = ""

    def learn(self, written: str) -> None:
        """`[style#id.role%option, second, name=value]`"""
        self.values |= {name.lower(): a or b or c.strip() for name, a, b, c in _VALUE.findall(written)}
        plain = [each.strip() for each in _VALUE.sub("", written).split(",")]
        style = re.match(r"[\w-]*", plain[0]) if plain else None
        self.style = style[0] if style and style[0] else self.style
        self.second = plain[1] if len(plain) > 1 and plain[1] else self.second
        self.options |= set(re.findall(r"%([\w-]+)", written)) | set(
            re.split(r"[,;]\s*", self.values.get("options", self.values.get("opts", "")))
        )
        named = re.search(r"#([\w:.-]+)", plain[0]) if plain else None
        self.anchor = (named[1] if named else "") or self.values.get("id", "") or self.anchor
