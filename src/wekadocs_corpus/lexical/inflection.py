"""Other forms of a word, for the languages whose stop words are known: a question in German finds Tabelle by Tabellen.

Documents are stored by their words as the English stemmer leaves them, whatever their language. So a question in
another language asks for the other forms too: its words with every ending that its own stemmer takes off again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from .analyser import LONGEST_WHOLE, Stem, analyse, surfaces
from .bm25 import term_id

_WORD = re.compile(r"[^\W\d_]{3,}")
# The name of the stemmer, and the endings it takes off that documentation uses.
_LANGUAGES = {
    "de": (
        "german",
        "e em en er ern es n ns s se sen ses st t te ten test tet end ende enden endes ender ung ungs ungen ig ige "
        "igen iger iges isch ische ischen ischer isches lich liche lichen licher liches heit heiten keit keiten",
    ),
    "fr": (
        "french",
        "s e es er ers x ez ent é ée és ées a ai ait aient ant ante ants antes ation ations ateur ateurs atrice eur "
        "eurs euse euses eux ement ements ions iez era eront erez if ive ifs ives ité ités ique iques able ables age "
        "ages ir it is ie ies ion ions re",
    ),
    "es": (
        "spanish",
        "a as o os e es ar er ir ado ada ados adas ido ida idos idas ando iendo ación aciones ador adora adores ión "
        "iones amos emos imos an en aba aban ará arán aron aste ieron ió ía ían able ables ible ibles amente mente "
        "idad idades ivo iva ivos ivas miento mientos amiento amientos imiento anza ante antes",
    ),
    "it": (
        "italian",
        "a e i o are ere ire ato ata ati ate uto uta uti ute ito ita iti ite ando endo azione azioni atore atori "
        "atrice ione ioni iamo ate ete ano ono ava avano erà erai eranno abile abili ibile ibili amente mente ità "
        "ivo iva ivi ive amento amenti imento imenti anza ante anti",
    ),
    "pt": (
        "portuguese",
        "a as o os e es ar er ir ado ada ados adas ido ida idos idas ando endo indo ação ações ador adora adores ão "
        "ões amos emos imos am em ava avam ará arão aram ou eu iu ia iam ável áveis ível íveis amente mente idade "
        "idades ivo iva ivos ivas mento mentos amento amentos imento",
    ),
    "nl": (
        "dutch",
        "e en s t te ten de den er ers end ende ing ingen heid heden lijk lijke ig ige baar bare je jes",
    ),
}


def forms(text: str, language: str) -> Mapping[int, int]:
    """Terms of other forms of the words of a text, each with the term of the word as it is written."""
    if language not in _LANGUAGES:
        return {}
    found: dict[int, int] = {}
    for word in dict.fromkeys(_WORD.findall(text.lower())):
        asked = [term_id(analyse(surface)[0]) for surface in surfaces(word)]
        found.update((form, asked[0]) for form in _forms(word, language) if len(asked) == 1 and form != asked[0])
    return found


@lru_cache(maxsize=4096)
def _forms(word: str, language: str) -> tuple[int, ...]:
    name, endings = _LANGUAGES[language]
    stem, short = _stemmer(name), word[:LONGEST_WHOLE]
    root = stem(short)
    # A stemmer may write the end of a word anew: `instellen` is `instel`, `maken` is `maak`.
    bases = {root, *(short[:length] for length in range(max(2, len(root) - 1), len(root) + 2))}
    made = (base + ending for base in sorted(bases) for ending in ("", *endings.split()))
    meant = (surface for form in made if stem(form) == root for surface in surfaces(form))
    return tuple(dict.fromkeys(term_id(analyse(surface)[0]) for surface in meant))


@lru_cache(maxsize=8)
def _stemmer(name: str) -> Stem:
    import Stemmer  # type: ignore[import-not-found, unused-ignore]

    found: Stem = Stemmer.Stemmer(name, 0).stemWord
    return found
