"""References out of a Markdown text, with where they stand. Images are none, and code holds none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wekadocs_corpus.documents.blocks import Block
from wekadocs_corpus.model import Link

_TARGET = r"(?:<[^<>\n]{0,2000}>|(?:[^\s()<>\\]|\\.|\([^\s()]{0,500}\)){0,2000})"
_TITLE = r"""(?:[ \t\r\n]{1,20}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?"""
# Every alternative begins with a plain sign, so that the search skips from sign to sign.
_BRACKETS = r"\[(?P<text{0}>(?:[^\[\]\\`]|\\.|`[^`\n]{{0,200}}`|!\[[^\[\]]{{0,200}}\]\([^()\s]{{0,500}}\)){{0,500}})\]"
_WIKI = r"(?P<{0}>[^\[\]|\\\n]{{1,300}})(?:\\?\|(?P<{1}>[^\[\]\n]{{0,300}}))?\]\](?!\()"  # behind its brackets
_FOUND = re.compile(
    r"`(?<!``)(?P<ticks>`{0,7})(?!`)(?:[^`]|(?<!`)`(?!(?P=ticks)(?!`))`{0,20}){1,500}?(?<!`)`(?P=ticks)(?!`)"
    rf"|!\[\[{_WIKI.format('embedded', 'shown')}"
    rf"|\[\[{_WIKI.format('page', 'label')}"
    rf"|!{_BRACKETS.format('_of_image')}"
    rf"|{_BRACKETS.format('')}"
    rf"(?:\([ \t\r\n]{{0,20}}(?P<target>{_TARGET}){_TITLE}[ \t\r\n]{{0,20}}\)"
    r"|\[(?P<name>[^\[\]]{0,200})\](?!:)|(?P<alone>(?![\[(:])))"
    r"|<(?P<auto>(?:https?://|mailto:)[^\s<>]{1,2000}|[^\s<>:]{1,500}\.(?:mdx?|html?|rst|txt)(?:\#[^\s<>]{0,200})?)>"
    r"""|<[aA]\b[^<>]{0,500}?\bhref\s{0,9}=\s{0,9}["']?(?P<href>[^\s"'<>]{1,2000})[^<>]{0,500}>(?P<inner>[^<]{0,300})"""
    r"|h(?<![\w(\[<\"'=/]h)(?P<bare>ttps?://[^\s<>\[\]()\"'`]{1,2000}[^\s<>\[\]()\"'`.,;:!?*_])"
)
_DEFINITION = re.compile(r"^ {0,3}\[([^\[\]\n]{1,200})\]:[ \t]{0,20}\n?[ \t]{0,20}<?([^\s<>]{1,2000})", re.M)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def markdown_links(text: str, blocks: Sequence[Block]) -> list[Link]:
    """All links outside of code and front matter, in order."""
    if "[" not in text and "<" not in text and "://" not in text:
        return []
    defined = {_key(name): target for name, target in reversed(_DEFINITION.findall(text))} if "]:" in text else {}
    found: list[Link] = []
    for start, end in _prose(blocks):
        for match in _FOUND.finditer(text, start, end):
            link = _link(match, defined)
            if link:
                found.append(link)
    return found


def _prose(blocks: Sequence[Block]) -> Iterator[tuple[int, int]]:
    """Runs of blocks that may hold links."""
    start = end = 0
    for block in blocks:
        if block.kind in ("code", "front_matter"):
            if start < end:
                yield start, end
            start = block.end
        end = block.end
    if start < end:
        yield start, end


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


def _link(match: re.Match[str], defined: dict[str, str]) -> Link | None:
    if page := match["page"] or match["embedded"]:
        return _wiki_link(match, page, defined)
    if match.string[match.start()] in "`!":
        return None
    text, target = match["text"] or "", match["target"]
    if match["name"] is not None or match["alone"] is not None:
        target = defined.get(_key(match["name"] or text)) if defined else None
    elif match["href"]:
        target, text = match["href"], match["inner"]
    elif match["auto"] or match["bare"]:
        target = text = match["auto"] or "h" + match["bare"]
    if not target:
        return None
    bare = target[1:-1] if target.startswith("<") else target
    return Link(_ESCAPED.sub(r"\1", bare), " ".join(text.split())[:300], match.start(), match.end())


def _wiki_link(match: re.Match[str], page: str, defined: dict[str, str]) -> Link | None:
    """`[[page|label]]`; what Markdown itself defines under that name comes first."""
    target = defined.get(_key(page)) or f"[[{page.strip()}"
    text = match["label"] or match["shown"] or page
    return Link(target, " ".join(text.split())[:300], match.start(), match.end())
