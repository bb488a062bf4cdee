"""Hugo's shortcodes and the tags of Liquid as GitBook and Jekyll have them."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.admonitions import ADMONITIONS, words

from .signs import END, bold, label

_SHORT = re.compile(r"\{\{-?[<%]-?[ \t]*(/?)[ \t]*([\w./-]*)([\s\S]*?)/?[ \t]*-?[>%]-?\}\}")
_LIQUID = re.compile(r"\{%-?[ \t]*([\w-]+)([\s\S]*?)-?%\}")
_NAMED = re.compile(r"""([\w-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s"'`]+))""")
_PLAIN = re.compile(r'"((?:[^"\\]|\\.)*)"|`([^`]*)`|\'([^\']*)\'|([^\s"\'`=]+)(?=\s|\Z)')
_INNER = re.compile(r"\{\{[<%][^{}]*\}\}")
_BOXES = words("alert callout notice hint admonition block panel aside message")
_TITLED = words(
    "tab details expand expandable collapse collapsible accordion accordion-item step card tab-item codetab "
    "tabitem detail-tag spoiler toggle content-tab"
)
_PICTURES = words("figure image img picture imgproc screenshot inline_image inline-image svg")
_WORDS = words("term glossary abbr kbd key definition tooltip glossary_tooltip glossary-tooltip")
_TERMS = ("term_id", "term", "id", "1", "0")
_HEADINGS = {"whatsnext": "What's next", "prerequisites": "Before you begin", "cleanup": "Cleaning up"}
_TARGETS = words("ref relref link post_url baseurl relurl absurl url")
_COLOURS = {"info": "Info", "primary": "Note", "warning": "Warning", "danger": "Danger", "success": "Success"}
_TEXT = ("text", "title", "name", "header", "label", "heading", "tabname", "summary")


def shortcode(written: str, *, alone: bool) -> str:
    """What it shows: a label, a title, its own words; where an unknown one encloses words they stay."""
    if written.startswith(("{{</*", "{{%/*")):
        return "{{" + written[2] + written[5:].replace("*/", "", 1)  # one that is shown, not run
    found = _SHORT.fullmatch(written)
    if not found:
        return written
    name = found[2].lower()
    if found[1] or not name:
        return END if alone or name in ADMONITIONS or name in _BOXES else ""
    shown = _shown(name, _values(found[3]), alone=alone)
    return _INNER.sub("", shown) if "{{" in shown else shown


def liquid(written: str, *, alone: bool) -> str:
    found = _LIQUID.fullmatch(written)
    if not found:
        return written
    name = found[1].lower()
    if name.startswith("end"):
        return END if alone else ""
    return _shown(name, _values(found[2]), alone=alone)


def _shown(name: str, values: dict[str, str], *, alone: bool) -> str:
    title = next((values[key] for key in _TEXT if values.get(key)), "")
    if name in _BOXES:
        return _box(values, title)
    if name in ADMONITIONS:
        return label(title or ADMONITIONS[name])
    if name in _TARGETS:
        return values.get("path") or values.get("0", "")
    if name in _WORDS:
        return title or next((values[key] for key in _TERMS if values.get(key)), "")
    if name == "heading":  # of Kubernetes, in the language of the page
        return _HEADINGS.get(values.get("0", ""), values.get("0", "").capitalize())
    if name == "feature-state":
        return _state(values)
    if name in _PICTURES:
        return values.get("caption") or values.get("alt") or values.get("title") or ""
    if name in _TITLED:
        return bold(title or values.get("0", ""))
    if name in ("code", "file", "embed", "content-ref", "swagger", "openapi", "stepper", "columns"):
        return bold(title) if title else ""
    return title if not alone or "text" in values else bold(title) if "title" in values else ""


def _state(values: dict[str, str]) -> str:
    said = [values.get("for_k8s_version", ""), values.get("state", ""), values.get("feature_gate_name", "")]
    return f"Feature state: {', '.join(filter(None, said))}" if any(said) else ""


def within(written: str) -> str:
    """Words in which shortcodes stand, without them."""
    return _SHORT.sub(lambda found: shortcode(found[0], alone=False), written) if "{{" in written else written


def _box(values: dict[str, str], title: str) -> str:
    kind = next(
        (values[key] for key in ("style", "type", "kind", "level", "color", "class", "context") if key in values), ""
    )
    kind = (kind or values.get("0", "")).lower()
    known = ADMONITIONS.get(kind) or _COLOURS.get(kind)
    own = title or (values.get("1", "") if known and "0" in values else values.get("0", "") if not known else "")
    return label(own or known or "Note")


def _values(written: str) -> dict[str, str]:
    """Named arguments by their name, the others by their number."""
    written = written[:2000]
    found = {name.lower(): a or b or c or d for name, a, b, c, d in _NAMED.findall(written)}
    rest = _NAMED.sub(" ", written)
    for number, each in enumerate(_PLAIN.findall(rest)):
        found[str(number)] = "".join(each)
    return found
