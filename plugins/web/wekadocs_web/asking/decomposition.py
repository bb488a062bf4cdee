"""A question taken apart by rules, the same way every time: comparisons, pros and cons, several questions in one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

KINDS = ("factual", "comparison", "how_to", "exploratory")
_MOST = 4
_EDGES = " \t\n,;:.?!¿"
_LEAD = r"(?:(?:please\s+)?(?:can you\s+|could you\s+)?(?:tell me|explain|describe|show me|compare)\s+)?"
_WHAT = r"(?:what(?:'s|\s+is|\s+are|\s+were)?\s+)?(?:the\s+)?(?:main\s+|key\s+|biggest\s+)?"
_BETWEEN = re.compile(
    rf"{_LEAD}{_WHAT}(?:diff(?:erence)?s?|distinction|trade-?offs?|similarities)\s+(?:between|among)\s+(?P<rest>.+)",
    re.I | re.S,
)
_HANDLE = re.compile(rf"{_LEAD}(?:compare\s+)?how\s+(?P<a>\S+)\s+and\s+(?P<b>\S+)\s+(?P<rest>.+)", re.I | re.S)
_OPEN = re.compile(r"\b(?:it|they|them|this|these|those)\b", re.I)
_MEANT = re.compile(r"(?:what|who)(?:'s|\s+is|\s+are)\s+(?:an?\s+|the\s+)?(?P<it>.{2,60})", re.I)
_DONE_TO = re.compile(
    r"how\s+(?:do|can|should)\s+(?:i|we|you)\s+[a-z]+\s+(?:an?\s+|the\s+)?(?P<it>\S+(?:\s+\S+)?)", re.I
)
_DIFFER = re.compile(
    r"(?:how|in what way)\s+(?:do|does|is|are)\s+(?P<a>.+?)\s+"
    r"(?:differ(?:ent)?\s+from|compared?\s+(?:to|with|against))\s+(?P<b>.+)",
    re.I | re.S,
)
_BOTH_DIFFER = re.compile(
    r"(?:how|in what way)\s+(?:do|are)\s+(?P<rest>.+?(?:,|\s+and)\s.+?)\s+(?:differ|different|compare)"
    r"(?P<context>\s+(?:in|for|when|on)\s.+)?",
    re.I | re.S,
)
_ELSEWHERE = re.compile(
    r".*?\b(?:diferencias?\s+entre|différences?\s+entre|diferenças?\s+entre|differenz[ae]\s+(?:tra|fra)"
    r"|unterschiede?\s+zwischen|verschil(?:len)?\s+tussen)\s+(?P<a>.+?)\s+(?:y|e|et|und|en)\s+(?P<b>.+)",
    re.I | re.S,
)
_COMPARE = re.compile(rf"{_LEAD}compare\s+(?P<a>.+?)\s+(?:and|with|to|against|vs\.?|versus)\s+(?P<b>.+)", re.I | re.S)
_SEVERAL = re.compile(r"\s*,?\s+(?:vs\.?|versus)\s+", re.I)
_VERSUS = re.compile(
    rf"{_LEAD}{_WHAT}(?P<a>.+?)\s*,?\s+(?:vs\.?|versus|compared\s+(?:to|with)|as opposed to)\s+(?P<b>.+)", re.I | re.S
)
_WHICH = re.compile(
    r"(?:which|what)\s+(?:one\s+)?(?:is|are|should i (?:use|choose|pick))\s+(?P<how>[^,:]+?)[,:]\s*"
    r"(?P<a>.+?)\s+or\s+(?P<b>.+)",
    re.I | re.S,
)
_SHOULD = re.compile(r"should\s+(?:i|we|one)\s+(?:use|choose|pick|prefer)\s+(?P<a>.+?)\s+or\s+(?P<b>.+)", re.I | re.S)
_PROS = re.compile(
    rf"{_LEAD}{_WHAT}(?:pros?(?:\s+and\s+|\s*/\s*)cons?|advantages?(?:\s+and\s+|\s*/\s*)disadvantages?"
    r"|benefits?\s+and\s+(?:drawbacks?|risks?|costs?)"
    r"|strengths?\s+and\s+weakness(?:es)?|upsides?\s+and\s+downsides?)\s+(?:of|to|for|with|in)\s+(?P<x>.+)",
    re.I | re.S,
)
_CONTEXT = re.compile(
    r"\s+(?P<context>(?:for|in|when|on|regarding|with respect to|in terms of|during|under|at)\s+.+)$", re.I
)
_ASKS = "when|how|what|why|where|which|who|does|do|is|are|can|should"
_AFTER = r"(?:(?:at|by|for|from|in|of|on|to|under|with)\s+(?=what|which|whom|how))?"  # and at which pressure …
_PARTS = re.compile(
    rf"\?\s+(?=\S)|;\s+(?=\S)|,?\s+(?:and|but|then)\s+(?={_AFTER}(?:{_ASKS})\b)|,\s+(?=(?:{_ASKS})\b)", re.I
)
_PARTICLE = r"(?:up|down|in|out|on|off)\b"  # back up
_TWO_VERBS = re.compile(
    r"(?P<lead>(?:how\s+(?:do|can|should|would)\s+(?:i|we|you|one)\s+|how\s+to\s+|steps\s+to\s+)?)"
    rf"(?P<a>[a-z]+(?:\s+{_PARTICLE})?)\s+(?:and|or)\s+(?P<b>[a-z]+(?:\s+{_PARTICLE})?)\s+"
    r"(?P<rest>(?!and\b|or\b|of\b|for\b|in\b|with\b).+)",
    re.I | re.S,
)
_TWO_NOUNS = re.compile(
    r"(?P<lead>(?:what\s+(?:is|are)\s+(?:the\s+)?|(?:list|describe|explain)\s+(?:the\s+)?)?)"
    r"(?P<a>[\w .'-]+?)\s+and\s+(?P<b>[\w .'-]+?)\s+(?P<rest>(?:for|in|with|of|on)\s+.+)",
    re.I | re.S,
)
# fmt: off
_VERBS = frozenset({
    "add", "backup", "build", "change", "check", "configure", "connect", "copy", "create", "debug", "define", "delete",
    "deploy", "disable", "download", "edit", "enable", "export", "find", "fix", "format", "import", "init", "install",
    "join", "load", "manage", "mount", "move", "open", "print", "publish", "query", "read", "remove", "rename",
    "replace", "reset", "restart", "restore", "run", "save", "scale", "secure", "send", "set", "setup", "share",
    "start", "stop", "store", "test", "train", "tune", "uninstall", "unmount", "update", "upgrade", "upload", "use",
    "validate", "verify", "write", "compile", "monitor", "initialize", "initialise", "serve", "clean", "calibrate",
})
_PHRASAL = frozenset({"back", "clean", "roll", "scale", "set", "shut", "spin", "start", "take", "tear", "turn"})
# Words before a noun that stands once: `maximum and minimum size`.
_OF_THE_SAME = frozenset({
    "active", "default", "external", "first", "inner", "internal", "last", "left", "local", "lower", "max", "maximum",
    "min", "minimum", "new", "old", "outer", "passive", "primary", "private", "public", "read", "remote", "right",
    "secondary", "soft", "hard", "source", "static", "dynamic", "upper", "write", "short", "long", "hot", "cold",
})
_HOW = re.compile(r"\s*(?:how\s+(?:do|to|can|should|would)|steps?\s+to|ways?\s+to|set\s?up|install|configure)\b", re.I)
_EXPLORING = re.compile(r"\s*(?:list|overview|explore|summar|describe|explain|tell me about|what are)\b", re.I)
# fmt: on


@dataclass(frozen=True)
class Analysis:
    """`sub_queries`: one, the question itself, where it has no parts."""

    query: str
    kind: str
    sub_queries: Sequence[str]

    @property
    def asked(self) -> Sequence[str]:
        """What is searched for: the parts, and the whole."""
        return tuple(dict.fromkeys((*self.sub_queries, self.query)))


def analyse(query: str, intent: str | None = None) -> Analysis:
    text = " ".join(query.split())
    for rule, kind in (_compared, "comparison"), (_pros_and_cons, "comparison"), (_several, ""), (_joined, ""):
        parts = _clean(rule(text, intent or ""))
        if len(parts) > 1:
            return Analysis(text, intent or kind or _kind(text), parts[:_MOST])
    return Analysis(text, intent or _kind(text), (text,))


def _kind(text: str) -> str:
    if _HOW.match(text):
        return "how_to"
    return "exploratory" if _EXPLORING.match(text) else "factual"


def _clean(parts: Sequence[str]) -> tuple[str, ...]:
    stripped = (part.strip(_EDGES) for part in parts)
    return tuple(dict.fromkeys(part for part in stripped if any(map(str.isalnum, part))))


def _compared(text: str, intent: str) -> list[str]:
    bare = text.strip(_EDGES)
    if found := _BETWEEN.fullmatch(bare):
        return _sides(found["rest"])
    if found := _BOTH_DIFFER.fullmatch(bare):
        return _sides(found["rest"] + (found["context"] or ""))
    if (found := _HANDLE.fullmatch(bare)) and re.search(r"\bcompare\b", bare, re.I):
        return [f"how {found[side]} {found['rest']}" for side in ("a", "b")]
    for rule in (_DIFFER, _COMPARE, _WHICH, _SHOULD, _VERSUS, _ELSEWHERE):
        if found := rule.fullmatch(bare):
            for_what = _without_context(found["how"])[1] if rule is _WHICH else ""
            return _both(found["a"], found["b"], for_what)
    return _sides(bare) if intent == "comparison" and len(bare.split()) < 12 else []


def _sides(rest: str) -> list[str]:
    """`A and B in C`, `A, B and C`."""
    *first, last = re.split(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+", rest)
    if not first:
        return []
    last, context = _without_context(last)
    return [f"{each} {context}".strip() for each in (*first, last)]


def _both(a: str, b: str, for_what: str) -> list[str]:
    b, context = _without_context(b)
    a = re.sub(r"^(?:the\s+|using\s+)", "", a.strip(), flags=re.I)
    return [f"{each} {context or for_what}".strip() for each in (a, *_SEVERAL.split(b))]


def _without_context(side: str) -> tuple[str, str]:
    found = _CONTEXT.search(side)
    return (side[: found.start()], found["context"]) if found else (side, "")


def _pros_and_cons(text: str, _intent: str) -> list[str]:
    found = _PROS.fullmatch(text.strip(_EDGES))
    return [f"advantages of {found['x']}", f"disadvantages of {found['x']}"] if found else []


def _several(text: str, _intent: str) -> list[str]:
    """Questions that stand side by side; a part that is too short to ask anything alone joins the one before it."""
    parts = _PARTS.split(text)
    begins = parts[0].strip(_EDGES)
    first = _MEANT.fullmatch(begins) or _DONE_TO.fullmatch(begins)
    if first:  # what it is that the later ones call it
        parts = [parts[0], *(_OPEN.sub(lambda _: first["it"], part, count=1) for part in parts[1:])]
    return parts if len(parts) > 1 and all(len(part.split()) > 2 for part in _clean(parts)) else []


def _joined(text: str, _intent: str) -> list[str]:
    """`install and configure X for Y`: both have the object; `costs and limits of X` as well."""
    bare = text.strip(_EDGES)
    if (found := _TWO_VERBS.fullmatch(bare)) and all(_is_verb(found[side].lower()) for side in ("a", "b")):
        return [f"{found['lead']}{verb} {found['rest']}" for verb in (found["a"], found["b"])]
    found = _TWO_NOUNS.fullmatch(bare)
    if found is None or max(len(found["a"].split()), len(found["b"].split())) > 3:
        return []
    a, b = found["a"], found["b"]
    noun = b.partition(" ")[2] if a.lower() in _OF_THE_SAME and b.partition(" ")[0].lower() in _OF_THE_SAME else ""
    return [f"{found['lead']}{each} {found['rest']}" for each in (f"{a} {noun}".strip(), b)]


def _is_verb(words: str) -> bool:
    verb, _, particle = words.partition(" ")
    return verb in (_PHRASAL if particle else _VERBS)
