"""Attributes: what `:name: value` sets and `{name}` shows."""

from __future__ import annotations

import re

_REFERENCE = re.compile(r"(\\?)\{([\w][\w-]{0,80})\}")
_LARGEST = 20_000  # characters that a line may grow to
_BUILT_IN = {
    "nbsp": " ", "zwsp": "", "wj": "", "apos": "'", "quot": '"', "lsquo": "\u2018", "rsquo": "\u2019",
    "ldquo": "“", "rdquo": "”",
    "deg": "°", "plus": "+", "brvbar": "|", "vbar": "|", "amp": "&", "lt": "<", "gt": ">", "startsb": "[", "endsb": "]",
    "caret": "^", "asterisk": "*", "tilde": "~", "backslash": "\\", "backtick": "`", "two-colons": "::",
    "two-semicolons": ";;", "cpp": "C++", "pp": "++", "empty": "", "sp": " ", "blank": "", "litdd": "--",
}  # fmt: skip


class Attributes:
    """Those of one page as it goes on."""

    def __init__(self, stated: dict[str, str]) -> None:
        self.values = {**_BUILT_IN, **stated}

    def set(self, name: str, value: str) -> None:
        if name.startswith("!") or name.endswith("!"):
            self.values.pop(name.strip("!").lower(), None)
        else:
            self.values[name.lower()] = self.shown(value)[:_LARGEST]

    def knows(self, name: str) -> bool:
        return name.lower() in self.values

    def shown(self, words: str) -> str:
        """Known names by their values; others stay, so that nothing is lost."""
        if "{" not in words:
            return words
        for _ in range(3):
            before, words = words, _REFERENCE.sub(self._value, words)
            if words == before or len(words) > _LARGEST:
                break
        return words

    def _value(self, found: re.Match[str]) -> str:
        if found[1]:
            return found[0]
        value = self.values.get(found[2].lower())
        return found[0] if value is None else value
