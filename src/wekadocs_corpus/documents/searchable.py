"""What of a chunk is worth indexing: its words without the syntax that would be mistaken for them."""

from __future__ import annotations

import html
import re

from wekadocs_corpus.model import Chunk, ParsedDocument

_TELLING = ("title", "description", "summary", "abstract", "excerpt", "subtitle", "keywords", "tags", "aliases")
_TAGS = (
    "a|abbr|address|area|article|aside|b|blockquote|body|br|caption|center|cite|code|col|colgroup|dd|del|details|dfn|div|"
    "dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|html|i|iframe|img|ins|kbd|li|link|main|mark|meta|nav|ol|p|"
    "picture|pre|q|s|samp|section|small|source|span|strike|strong|style|sub|summary|sup|table|tbody|td|tfoot|th|thead|"
    "tr|tt|u|ul|var|video|wbr"
)
# The first character stands before all else, so that the engine can leap to it; what must begin a line looks back.
_NOISE = (
    r"[`~<!\[{:?|#FIRST-](?:"
    r"(?<=`)(?<![^\s>]`)(?P<fence>(?P<marks>``+)[^\n`]*\n(?:.*\n)*?[ \t>]*`(?P=marks)`*[ \t]*\r?$)"
    r"|(?<=~)(?<![^\s>]~)(?P<block>(?P<signs>~~+)[^\n]*\n(?:.*\n)*?[ \t>]*~(?P=signs)~*[ \t]*\r?$)"
    r"|(?<=`)(?<!``)(?P<code>[^`\n]{1,300}`)(?!`)"
    r"|(?<=<)!--(?:[^-]|-(?!->)){0,5000}-->|(?<=\{)/\*(?:[^*]|\*(?!/)){0,5000}\*/\}"
    rf"|(?<=<)/?(?:{_TAGS})(?=[\s/>])(?P<inside>[^<>]{{0,3000}})>"
    r"|(?<=<)/?[A-Z]\w{0,60}(?:\.\w{1,60})?(?=[\s/>])(?P<props>[^<>]{0,3000})/?>"
    r"|(?<=!)\[(?P<alt>[^\[\]]{0,300})\]\([^()\n]{0,2000}\)"
    r"|(?<=\[)(?P<text>[^\[\]]{1,500})\](?:\((?:[^()\n]|\([^()\n]{0,300}\)){0,2000}\)|\[[^\[\]\n]{0,200}\])"
    r"|(?<=<)https?://[^\s<>]{1,2000}>"
    r"|(?<=\[)(?:(?<![^\n].)|(?<=\n .)|(?<=\n {2}.)|(?<=\n {3}.))[^\[\]\n]{1,200}\]:[ \t]{0,20}\S{1,2000}[^\n]{0,300}$"
    r"|(?<=\{)%(?P<liquid>[^%\n]{0,1000})%\}|(?<=\{)\{[<%](?P<short>[^<>%\n]{0,1000})[>%]\}\}"
    r"|(?<=:)(?<![^\n].):{2,}[ \t]*\w{0,40}(?P<admonition>[^\n]{0,300})$"
    r"|(?<=[!?])(?<![^\n].)(?:!!|\?\?\+?)[ \t]+\w{1,40}(?P<note>[^\n]{0,300})$"
    r"|(?<![^\n \t].)(?:(?<=\|)[ \t]{0,40}:?-{2,}|(?<=:)-{2,}|(?<=-)-+)[-:| \t]*$"
    r"|(?<=#)(?<![^\n].)#{0,5}[ \t]+|(?<=\{):?[ \t]{0,9}#[^\s{}]{1,200}[^{}\n]{0,200}\}[ \t]*$"
)
_MODULES = (
    r"""|(?<=[ie])(?<![^\n].)(?:mport|xport)[ \t][^\n]{0,1000}\bfrom[ \t]+["'][^\n]{0,300}$"""
    r"""|(?<=i)(?<![^\n].)mport[ \t]+["'][^\n]{0,300}$"""
)
_PLAIN = re.compile(_NOISE.replace("FIRST", "") + ")", re.M)
_WITH_MODULES = re.compile(_NOISE.replace("FIRST", "ie") + _MODULES + ")", re.M)
_BLOB = re.compile(r"[A-Za-z0-9+/]{160,}={0,2}")  # an image or a key in base64: longer than any hash or name
_TITLES = re.compile(r"""\b(?:title|alt|label|name|caption|summary)\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')""", re.I)


def searchable(parsed: ParsedDocument, chunk: Chunk) -> str:
    """The chunk's words for an index; may be empty, and then the chunk is not worth finding."""
    if chunk.kind == "front_matter":
        return _front_matter(parsed.front_matter) if chunk.start == 0 else ""
    text = parsed.text[chunk.start : chunk.end]
    if text.count(" ") * 20 < len(text):  # hardly any words: a look at every text would cost more than a blob does
        text = _BLOB.sub(" ", text)
    if chunk.kind == "code" and chunk.continues:
        return text  # the middle of a program: what looks like a tag is none
    noise = _WITH_MODULES if "import" in text or "export" in text else _PLAIN
    text = noise.sub(_words, text)
    return text.strip() if "&" not in text else html.unescape(text).replace("\xa0", " ").strip()


def _words(found: re.Match[str]) -> str:
    kind = found.lastgroup  # the outermost that took part; None for what says nothing
    if kind is None:
        return ""
    written = found[kind]
    if kind in ("fence", "block", "code"):
        return found[0]
    if kind == "props" and "={" in written:
        return f" {written} "  # data that the component shows, as a table of options
    if kind in ("inside", "props", "liquid", "short"):
        return " " + " ".join(first or second for first, second in _TITLES.findall(written)) + " " if written else ""
    return written if kind == "text" else f" {written.strip(' []')} " if written else ""


def _front_matter(values: dict[str, object]) -> str:
    told: list[str] = []
    for key in _TELLING:
        value = values.get(key)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str | int | float) and not isinstance(each, bool):
                told.append(str(each))
    return "\n".join(told)
