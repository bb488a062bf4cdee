"""What makes two spellings of a name one, and which names say nothing."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from wekadocs_corpus.model import Entity, digest

from .spellings import normal

CONCEPT = "Concept"  # what a title or heading defines; text that names it joins by key, whichever was ingested first

_WORD = re.compile(r"[^\W_]+(?:_[^\W_]+)*")
_BRACKETED_END = re.compile(r"\s\([^()]{1,80}\)$")
_ARTICLES = frozenset({"the", "a", "an"})
_REMEMBERED = 50_000  # names


def words(text: str) -> frozenset[str]:
    """A list of words as one writes it."""
    return frozenset(text.split())


# Headings that half of all documents have: a graph that joins on them joins everything.
GENERIC = words(
    """about abstract acknowledgements advanced and appendix api arguments at background basic basics before begin
    benefits bugs changelog chapter cli code command commands comments common components conclusion conclusions
    concepts config configuration configure contact contents context contributing create customization data date
    default defaults define delete demo dependencies deployment deprecated description design details develop
    development disclaimer discussion documentation download downloads edit error errors example examples faq features
    figure file files fixed flags for from further general getting glossary guide guides help history home how
    implementation important in index info information input install installation installing integration introduction
    issues known legal license licence limitations list main manual method methods miscellaneous monitoring motivation
    name new next none note notes notice of on operation operations option options other output overview page
    parameters part performance permissions plugins prerequisites preface problem procedure properties purpose
    questions quickstart readme reference references related release releases remarks required requirements resources
    response result results return returns run running sample samples scope section security see setting settings setup
    solution source specification start started starting steps structure summary support syntax table terminology test
    testing tests that this tip tips title to todo tool tools topics troubleshooting tutorial tutorials type types
    update updates upgrade upgrading usage use using value values version versions view warning welcome what
    with workflow"""
)


@lru_cache(maxsize=8192)
def concept_key(text: str) -> str:
    """The words of a name, case folded, without a leading article or what stands in brackets at its end."""
    plain = text[:400].strip()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKC", plain)
    if plain.endswith(")"):
        plain = _BRACKETED_END.sub("", plain)
    parts = _WORD.findall(plain.casefold())
    return " ".join(parts[1:] if len(parts) > 1 and parts[0] in _ARTICLES else parts)


def code_key(text: str) -> str:
    """Commands, flags and paths keep their punctuation; only case and spaces are evened out."""
    return " ".join(text.split()).casefold()


def says_something(key: str) -> bool:
    """Whether a concept key is worth a node: not a number, not too short or long, not what every document has."""
    parts = key.split(" ")
    if len(key) < 3 or len(parts) > 10:
        return False
    return any(part not in GENERIC and not part.isdigit() for part in parts)


class Namer:
    """Makes the entities of one project and environment."""

    def __init__(self, project_id: str, environment: str) -> None:
        self._project_id, self._environment = project_id, environment
        self._known: dict[tuple[str, str], str] = {}  # hashing is a third of the work otherwise

    def id(self, label: str, key: str) -> str:
        found = self._known.get((label, key))
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[label, key] = digest(self._project_id, self._environment, label, key)
        return found

    def entity(self, label: str, key: str, name: str) -> Entity:
        return Entity(self.id(label, key), label, key, normal(name))


@lru_cache(maxsize=4)
def namer(project_id: str, environment: str) -> Namer:
    """One for all documents: they name the same things."""
    return Namer(project_id, environment)
