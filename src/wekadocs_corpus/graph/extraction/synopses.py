"""Which words of a command line are the command: a synopsis such as `strata mount <filesystem>` tells."""

from __future__ import annotations

from collections.abc import Iterable

from .code import Mention

_STANDS_FOR_A_COMMAND = ("command", "subcommand", "action", "verb")


def synopses(text: str, code: Iterable[tuple[int, int]]) -> set[str]:
    """Two words that are followed by a placeholder somewhere in the code of a document."""
    found = set()
    for start, end in code:
        at = text.find(" <", start, end)
        while at >= 0:
            words = text[max(start, text.rfind("\n", start, at) + 1) : at].lstrip("$# ").split()
            if len(words) == 2 and not text.startswith(_STANDS_FOR_A_COMMAND, at + 2):
                found.add(" ".join(words))
            at = text.find(" <", at + 2, end)
    return found


def without_argument(mention: Mention, shown: set[str]) -> Mention:
    """`strata mount projects` is `strata mount` where a synopsis of that is shown."""
    first, _, rest = mention.name.partition(" ")
    second, _, third = rest.partition(" ")
    head = f"{first} {second}"
    return mention._replace(name=head, end=mention.start + len(head)) if third and head in shown else mention
