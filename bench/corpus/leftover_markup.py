"""Pages of a tree that still show markup outside of code once read: python bench/corpus/leftover_markup.py FOLDER"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from pathlib import Path

from wekadocs_corpus.documents import SUFFIXES, Unreadable, read_document

KINDS = {
    name: re.compile(pattern, re.M)
    for name, pattern in {
        "directive": r"^\s*\.\. [\w:-]+::",
        "role": r"(?<![\w`:]):[a-z][\w:+-]*:`|\{\w+\}`",
        "named link": r"`__?(?!\w)",
        "shortcode": r"\{\{[<%]",
        "liquid": r"\{%",
        "MkDocs box or tab": r"^\s*(?:!!!|\?\?\?\+?|===[+!]?) [\"\w]",
        "colons": r"^\s*:{3,}",
        "snippet": r"--8<--|\{\{#include",
        "attribute list": r"\{:? ?[#.][\w-][^}\n]*\}",
        "comment": r"<!--",
        "component": r"</?(?:Tab|TabItem|Tabs|details|summary|div|span|table|dl)\b[^>]*>",
        "module": r"^import .+ from ['\"]",
        "AsciiDoc": r"^\|===|^\[(?:source|NOTE|TIP|cols)|^include::|\bxref:\S+\[",
        "icon": r"(?<!\w):(?:material|octicons|fontawesome|simple)-[\w-]+:",
        "alert": r"^> \[!\w+\]",
        "DocFX": r"<xref:|^\[!(?:INCLUDE|code)|\]\(#tab/",
        "named character": r"&(?:[a-z]{2,8}|#\d{2,5});",
        "value": r"\{\{-?[ \t]*(?:site|page)\.",
        "attributes": r"^[ \t]*(?:[\w-]+=\{|\}?/>)[ \t]*$",
    }.items()
}
_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)\n.*?\n\1\n", re.S)
_FENCE = re.compile(r"^([ \t]*(?:[-*+>]|\d+\.)?[ \t]*)(`{3,}|~{3,})[^\n]*\n(?:.*\n)*?[ \t>]*\2[`~]*[ \t]*$", re.M)
_CODE = re.compile(r"(`+)(?!`)(?:[^`]|(?<!`)`+(?!`))*?(?<!`)\1(?!`)")


class Beside:
    """Files around a page, inside the tree."""

    above = 0

    def __init__(self, root: Path, file: Path) -> None:
        self._root, self._folder = root, file.parent

    def neighbour(self, path: str) -> bytes | None:
        file = (self._folder / path).resolve()
        return file.read_bytes() if self._root in file.parents and file.is_file() else None


def prose(text: str) -> str:
    return _CODE.sub("x", _FENCE.sub("", _FRONT_MATTER.sub("", text)))


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    found: Counter[str] = Counter()
    pages, spent = 0, 0.0
    for file in sorted(path for path in root.rglob("*") if path.is_file() and path.suffix.lower() in SUFFIXES):
        begin = time.process_time()
        try:
            read = read_document(file.relative_to(root).as_posix(), file.read_bytes(), "d", Beside(root, file))
        except Unreadable:
            continue
        spent += time.process_time() - begin
        pages += 1
        text = prose(read.text)
        found.update(name for name, pattern in KINDS.items() if pattern.search(text))
    print(f"{pages} pages, {pages / max(spent, 1e-9):.0f} a second")
    for name, count in found.most_common():
        print(f"{100 * count / pages:5.1f} %  {count:5}  {name}")


if __name__ == "__main__":
    main()
