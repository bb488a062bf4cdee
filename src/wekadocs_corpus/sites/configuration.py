"""Configuration files as data: bounded, and never run. Of what is code only the literals are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from wekadocs_corpus.documents.decoding import Unreadable
from wekadocs_corpus.documents.front_matter import read_front_matter

LARGEST = 400_000  # bytes; more is no configuration
_TAG = re.compile(r"(?<=[\s,\[])!{1,2}[\w./:-]*")  # MkDocs names Python objects with them
_PAIR = re.compile(r"^([A-Za-z_]\w{0,60}):[ \t]+(\S.*)$", re.M)
_ANCHOR = re.compile(r"(?<=: )&([\w-]+)[ \t]+([^\s&*\[{|>!][^\n]*)$", re.M)  # of a word or an address
_ALIAS = re.compile(r"(?<=: )\*([\w-]+)[ \t]*$", re.M)
_CONSTANT = re.compile(r"^[ \t]*(?:export )?const ([A-Za-z_$][\w$]*)(?:: string)? = (['\"][^'\"\n]*['\"])", re.M)
_NAMED = re.compile(r"(?<=: )[A-Za-z_$][\w$]*(?=\s*[,}\n])")
_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r"|(?P<key>[A-Za-z_$][\w$]*)\s*:(?=[^:])"
    r"|(?P<quote>['\"`])(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)"
    r"|(?P<word>\b(?:true|false)\b)|(?P<sign>[{}\[\],])",
    re.S,
)
_QUOTED_KEY = re.compile(r"([{,](?:\s|//[^\n]*\n)*)(['\"])([A-Za-z_$][\w$]*)\2(?=\s*:)")
_MOST_SIGNS = 100_000


def text_of(file: Path) -> str:
    """What it says; "" if it cannot be read or is no such file."""
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError:
        return ""
    return data.decode("utf-8-sig", "replace").replace("\0", "") if len(data) <= LARGEST else ""


def data_of(name: str, text: str) -> dict[str, object]:
    """YAML, TOML or JSON by the file's name; what cannot be read says nothing."""
    try:
        if name.endswith(".toml"):
            return read_front_matter(f"+++\n{text}\n+++\n").values
        if name.endswith(".json"):
            return read_front_matter(text.strip()).values
        text = _without_aliases(text)
        return read_front_matter(f"---\n{_TAG.sub('', text)}\n---\n").values or _pairs(text)
    except Unreadable:  # more than is worth it: a navigation of thousands of pages
        return _pairs(text)


def _without_aliases(text: str) -> str:
    """Those of single words written out; no others, because they would multiply."""
    named = dict(_ANCHOR.findall(text))
    return _ALIAS.sub(lambda found: named.get(found[1], found[0]), _ANCHOR.sub(r"\2", text)) if named else text


def _pairs(text: str) -> dict[str, object]:
    return {key: _scalar(value.strip()) for key, value in _PAIR.findall(text)}


def _scalar(value: str) -> object:
    return {"true": True, "false": False}.get(value.lower(), value.strip("\"'"))


def part(data: Mapping[str, object], *names: str) -> dict[str, object]:
    """The mapping at this place; empty if there is none."""
    found: object = data
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def in_any_case(data: Mapping[str, object], name: str) -> object:
    """Hugo's keys may be written in any case."""
    return next((value for key, value in data.items() if key.lower() == name.lower()), None)


@dataclass
class Block:
    """An object in JavaScript: the key or the string it stands behind, and what it says in literals."""

    name: str
    values: dict[str, str | bool] = field(default_factory=dict)


def blocks(text: str) -> list[Block]:
    """Every object of a JavaScript file, outermost first; a constant stands for its literal."""
    text = _QUOTED_KEY.sub(r"\1\3", text)
    named = dict(_CONSTANT.findall(text))
    text = _NAMED.sub(lambda word: named.get(word[0], word[0]), text) if named else text
    found = [Block("")]
    open_blocks, key, last = [found[0]], "", ""
    for count, sign in enumerate(_CODE.finditer(text)):
        if count > _MOST_SIGNS:
            break
        value: str | bool | None = sign["text"] if sign["word"] is None else sign["word"] == "true"
        if sign["sign"] == "{":
            open_blocks.append(Block(key or last))
            found.append(open_blocks[-1])
        elif sign["sign"] == "}" and len(open_blocks) > 1:
            open_blocks.pop()
        if key and value is not None and not (sign["quote"] == "`" and "${" in str(value)):
            open_blocks[-1].values.setdefault(key, value)
        if sign["text"] is not None:
            last = sign["text"]
        if sign["key"] or sign["sign"] or value is not None:
            key = sign["key"] or (key if sign["sign"] == "[" else "")
    return found


def assigned(text: str, name: str) -> str:
    """The literal that a line of Python or JavaScript assigns to this name; "" if none does."""
    found = re.search(rf"^[ \t]*(?:const |let |var )?{name}\s*=\s*(['\"])([^'\"\n]*)\1", text, re.M)
    return found[2] if found else ""
