"""What directives show: a label and its words, code, a table, a definition; or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wekadocs_corpus.documents.conversion.admonitions import ADMONITIONS, words
from wekadocs_corpus.documents.conversion.lines import Lines, dedented, definition, fenced, labelled, unindented

from . import included, raw, tables

if TYPE_CHECKING:
    from .blocks import Blocks

_OPTION = re.compile(r":([\w-]+):(?: +(.*)|\Z)")
_CHANGES = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
    "version-added": "Added in version",
    "version-changed": "Changed in version",
    "version-deprecated": "Deprecated since version",
}
_CODE = words(
    "code-block code sourcecode prompt ipython parsed-literal testcode testoutput doctest testsetup productionlist "
    "command-output program-output console terminal code-tab ipython3 jupyter-execute code-cell plot mermaid "
    "graphviz digraph graph uml plantuml pyscript literal math"
)
_LANGUAGES = {
    "doctest": "python", "testcode": "python", "ipython": "python", "plot": "python", "code-cell": "python",
    "jupyter-execute": "python", "math": "math", "mermaid": "mermaid", "prompt": "", "console": "console",
}  # fmt: skip
_NO_LANGUAGE = frozenset({"none", "text", "default", "guess", "raw"})
_GONE = words(
    "toctree contents index default-role role meta sectnum section-numbering currentmodule py:currentmodule "
    "changelog_imports title class rst-class cssclass header footer tabularcolumns sectionauthor codeauthor "
    "moduleauthor target-notes todo "
    "todolist testsetup testcleanup program py:module module js:module default-domain highlightlang ifslides nextslide "
    "sphinx-version seo local-toc autosectionlabel include-toc tags keywords youtube vimeo iframe video audio "
    "graphviz digraph graph inheritance-diagram bibliography datatemplate genindex replace unicode date"
)
_TITLED = words(
    "tab group-tab tab-item topic sidebar rubric dropdown details collapse card grid-item-card centered "
    "admonition-title tab-item-card toggle spoiler step procedure"
)
_HOLDERS = words(
    "tabs tab-set container compound only ifconfig hlist epigraph highlights pull-quote grid grid-item div rst-block "
    "table-wrapper acks tab-set-code sphinx-tabs content-tabs layout card-carousel centered-block html_theme "
    "ifdef cond versioned"
)
_OBJECTS = words(
    "function method class attribute data exception envvar option cmdoption confval setting describe object "
    "staticmethod classmethod property decorator decoratormethod var type member macro struct enum enumerator union "
    "namespace directive directive:option role field-name cvar cfunction ctype cmember django-admin "
    "django-admin-option templatefilter templatetag fieldlookup typevar get post put patch delete config "
    "variable rst:directive autofunction autoclass automethod autodata autoattribute autoexception autoproperty "
    "automodule click program-option configuration opcode pdbcommand 2to3fixer audit-event "
    "console-command metric param option-list builtin keyword cpp:function ansible-option glossary-term alias"
)
_LATEX = re.compile(r"\A\s*(?:latex|pdf|man|texinfo|epub|text)\s*\Z")


@dataclass
class Directive:
    """One as written: arguments stand in its first lines, then options, then content."""

    name: str
    arguments: Lines
    options: dict[str, str]
    content: Lines
    number: int
    top: bool

    @property
    def title(self) -> str:
        return " ".join(words for words, _ in self.arguments).strip()

    @property
    def all(self) -> Lines:
        """For a directive that takes no argument: its first lines are content too."""
        return dedented([*self.arguments, ("", self.number), *self.content])


def directive(blocks: Blocks, name: str, argument: str, body: Lines, number: int, *, top: bool) -> Lines:
    """The lines it shows."""
    own = _split(name, argument, body, number, top=top)
    short = name.rpartition(":")[2]
    if name in _GONE:
        return []
    show = _SHOWN.get(name)
    if show is None and name in ADMONITIONS:
        show = _admonition
    elif show is None and name in _CHANGES:
        show = _change
    elif show is None and name in _CODE:
        show = _code
    elif show is None and name in _HOLDERS:
        show = _content
    elif show is None and name in _TITLED:
        show = _titled
    elif show is None:
        show = _object if short in _OBJECTS or ":" in name else _unknown
    return show(blocks, own)


def _split(name: str, argument: str, body: Lines, number: int, *, top: bool) -> Directive:
    head = [(argument, number)] if argument else []
    first = next((place for place, line in enumerate(body) if not line[0]), len(body))
    body = [*unindented(body[:first]), *body[first:]]  # options may stand further in than what they are of
    at = 0
    while at < len(body) and body[at][0] and not _OPTION.match(body[at][0]):
        head.append(body[at])
        at += 1
    options: dict[str, str] = {}
    last = ""
    while at < len(body) and body[at][0]:
        found = _OPTION.match(body[at][0])
        if found:
            last = found[1].lower()
            options[last] = found[2] or ""
        elif body[at][0].startswith(" "):
            options[last] = f"{options[last]} {body[at][0].strip()}"
        else:
            break
        at += 1
    return Directive(name, head, options, dedented(body[at:]), number, top)


def _admonition(blocks: Blocks, own: Directive) -> Lines:
    return labelled(ADMONITIONS[own.name], blocks.read(own.all), own.number)


def _own_title(blocks: Blocks, own: Directive) -> Lines:
    return labelled(blocks.text(own.title).rstrip(":") or "Note", blocks.read(own.content), own.number)


def _change(blocks: Blocks, own: Directive) -> Lines:
    version, _, words = own.title.partition(" ")
    label = f"{_CHANGES[own.name]} {version}"
    said = dedented([(words, own.number), *own.content])
    return labelled(label, blocks.read(said), own.number) if said else [(f"{label}.", own.number)]


def _code(blocks: Blocks, own: Directive) -> Lines:
    argument = own.arguments[0] if own.arguments and own.arguments[0][1] == own.number else None
    language = argument[0].split()[0] if argument and argument[0] else ""
    if own.name in _LANGUAGES or own.name in ("parsed-literal", "productionlist", "testoutput", "literal"):
        inside, language = own.all, _LANGUAGES.get(own.name, "")
        if own.name == "prompt" and argument:
            inside, language = own.content, argument[0].split()[0]
    else:
        inside = dedented([*own.arguments[1 if argument else 0 :], ("", own.number), *own.content])
        language = language or own.options.get("language", "") or blocks.language
    if own.name == "parsed-literal":
        inside = [(_bare(blocks.inline.shown(words)), number) for words, number in inside]
    caption = own.options.get("caption", "") or (
        argument[0].partition(" ")[2] if own.name == "code-tab" and argument else ""
    )
    shown = fenced(inside, "" if language.lower() in _NO_LANGUAGE else language, own.number)
    return [(f"**{blocks.text(caption)}**", own.number), ("", own.number), *shown] if caption and shown else shown


def _bare(words: str) -> str:
    return words.replace("`", "").replace("**", "") if "`" in words or "**" in words else words


def _content(blocks: Blocks, own: Directive) -> Lines:
    if own.name == "only" and _LATEX.match(own.title):
        return []
    return blocks.read(own.content or ([] if own.name in ("only", "ifconfig", "container") else own.all), top=own.top)


def _titled(blocks: Blocks, own: Directive) -> Lines:
    title = blocks.text(own.title)
    head = [(f"**{title}**", own.number), ("", own.number)] if title else []
    return [*head, *blocks.read(own.content)]


def _object(blocks: Blocks, own: Directive) -> Lines:
    """Something that is described: its names, then what it is."""
    terms = [words.strip().rstrip("\\") for words, _ in own.arguments if words.strip()]
    said = [
        *(
            (f"{name.capitalize()}: {value}", own.number)
            for name, value in own.options.items()
            if name in _TOLD and value
        )
    ]
    body = blocks.read(own.content)
    if said:
        body = [*said, *([("", own.number), *body] if body else [])]
    if not terms:
        return body
    return definition(", ".join(f"`{term}`" if "`" not in term else term for term in terms), body, own.number)


_TOLD = ("type", "default", "version_added", "choices", "required")


def _unknown(blocks: Blocks, own: Directive) -> Lines:
    """Nothing that it says is lost: a line of words is a title, all else is text."""
    if own.content and own.arguments and own.arguments[0][1] == own.number:
        return _titled(blocks, own)
    return blocks.read(own.all)


def _glossary(blocks: Blocks, own: Directive) -> Lines:
    """Terms at the margin, several of them may share what is indented below."""
    out: Lines = []
    terms: list[str] = []
    lines, at = own.all, 0
    while at < len(lines):
        words, number = lines[at]
        if words and words[0] != " ":
            terms.append(blocks.text(words.split(" : ")[0]))
            at += 1
            continue
        end = at
        while end < len(lines) and (not lines[end][0] or lines[end][0][0] == " "):
            end += 1
        body = dedented(lines[at:end])
        if body and terms:
            out += [*definition(", ".join(terms), blocks.read(body), body[0][1]), ("", number)]
            terms = []
        at = end
    last = lines[-1][1] if lines else own.number
    return [*out, *((f"- {term}", last) for term in terms)]


def _image(blocks: Blocks, own: Directive) -> Lines:
    alt = blocks.text(own.options.get("alt", ""))
    return [(alt, own.number)] if alt else []


def _figure(blocks: Blocks, own: Directive) -> Lines:
    return blocks.read(own.content) or _image(blocks, own)


def _caption(blocks: Blocks, own: Directive, title: str = "") -> Lines:
    words = blocks.text(title or own.title)
    return [(f"**{words}**", own.number), ("", own.number)] if words else []


def _table(blocks: Blocks, own: Directive) -> Lines:
    return [*_caption(blocks, own), *blocks.read(own.content)]


def _list_table(blocks: Blocks, own: Directive) -> Lines:
    rows = tables.list_rows(own.content)
    if not rows:
        return _unknown(blocks, own)
    return [*_caption(blocks, own), *tables.markdown(blocks, rows, _count(own.options.get("header-rows", "")))]


def _csv_table(blocks: Blocks, own: Directive) -> Lines:
    content = own.content
    if "file" in own.options:
        content = included.lines_of(blocks, own.options["file"], own.number) or []
    delimiter, quote = own.options.get("delim", ","), own.options.get("quote", '"')
    rows = tables.separated_rows(content, delimiter, quote)
    head = _count(own.options.get("header-rows", ""))
    if own.options.get("header"):
        rows = [*tables.separated_rows([(own.options["header"], own.number)], delimiter, quote), *rows]
        head += 1
    return [*_caption(blocks, own), *tables.markdown(blocks, rows, head)] if rows else []


def _count(words: str) -> int:
    return int(words) if words.isascii() and words.isdigit() and len(words) < 3 else 0


def _include(blocks: Blocks, own: Directive) -> Lines:
    return included.include(blocks, own.title, own.options, own.number, top=own.top)


def _literal_include(blocks: Blocks, own: Directive) -> Lines:
    return included.literal(blocks, own.title, own.options, own.number)


def _names(_: Blocks, own: Directive) -> Lines:
    """What Sphinx fills in from a program; the page's own file has only names."""
    return [(f"- `{words.strip().lstrip('~')}`", number) for words, number in own.content if words.strip()]


def _release(blocks: Blocks, own: Directive) -> Lines:
    """What a version changed, as SQLAlchemy's own extension has it."""
    when = own.options.get("released", "")
    title = blocks.text(own.options.get("version", "") or own.title)
    head = [(f"**{title}**" + (f" (released {when})" if when else ""), own.number), ("", own.number)] if title else []
    return [*head, *blocks.read(own.content)]


def _raw(_: Blocks, own: Directive) -> Lines:
    return raw.raw(own.content) if own.title.lower() == "html" else []


def _highlight(blocks: Blocks, own: Directive) -> Lines:
    language = own.title.split()[0] if own.title else ""
    blocks.language = "" if language.lower() in _NO_LANGUAGE else language
    return []


Show = Callable[["Blocks", Directive], Lines]
_SHOWN: dict[str, Show] = {
    "admonition": _own_title,
    "glossary": _glossary,
    "image": _image,
    "figure": _figure,
    "table": _table,
    "list-table": _list_table,
    "flat-table": _list_table,
    "csv-table": _csv_table,
    "include": _include,
    "literalinclude": _literal_include,
    "autosummary": _names,
    "changelog": _release,
    "highlight": _highlight,
    "raw": _raw,
}
