"""A cheap guess at a text's language: by script, and for Latin letters by the commonest words."""

from __future__ import annotations

import re
from collections import Counter

_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),  # before Han: Japanese has both
    ("ko", re.compile(r"[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile(r"[\u4e00-\u9fff\u3400-\u4dbf]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
)
_FOREIGN = re.compile(r"[^\x00-\u02ff]+")
_COMMON = {
    "en": "the of and to in is that for with this are be you on it as can or from by if not an when use your will",
    "de": "der die das und ist nicht mit ein eine den von zu für auf werden sie wird oder dem des im sich wenn kann",
    "fr": "le la les des et est une pour dans que vous sur par avec pas au ce qui sont du ou votre peut être cette",
    "es": "el los las que una para con por del se es en su como más este puede al no si esta son también desde",
    "pt": "os que uma para com por do da se em não como mais este pode ao dos das são você também seu ou isso",
    "it": "il gli che una per con del della di è non sono come più questo può nel alla dei le si anche ed delle",
    "nl": "de het een van en dat niet met voor op zijn te wordt deze als bij naar of kan aan ook worden door u",
}
_VOTES = {
    word: [name for name, words in _COMMON.items() if word in words.split()]
    for words in _COMMON.values()
    for word in words.split()
}


def guess_language(text: str) -> str:
    """A two-letter code, or "" when nothing speaks clearly."""
    sample = text[:20_000]
    if not sample.isascii():
        foreign = "".join(_FOREIGN.findall(sample))
        for name, script in _SCRIPTS if len(foreign) * 20 > len(sample) else ():
            if len(script.findall(foreign)) * (20 if name == "ja" else 5) > len(foreign) + len(sample) // 10:
                return name
    return _latin(sample[:4000])


def _latin(sample: str) -> str:
    words = sample.lower().split()
    votes: Counter[str] = Counter()
    for word, times in Counter(filter(_VOTES.__contains__, words)).items():
        for name in _VOTES[word]:
            votes[name] += times
    # Equal votes go to the language that is listed first.
    best, second = sorted(((votes[name], name) for name in _COMMON), key=lambda vote: -vote[0])[:2]
    return best[1] if best[0] >= 2 and best[0] > 1.2 * second[0] and best[0] * 25 >= len(words) else ""
