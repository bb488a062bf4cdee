"""Words a question can do without, written and stemmed. They are dropped only when something else is left."""

from __future__ import annotations

_ARTICLES_AND_PREPOSITIONS = (
    "a an and are as at be but by for from if in into is it no not of on or such that the their then there these they "
    "this to was will with about than so too very veri just also any ani some each"
)
_QUESTIONS = "what whats which who whom whose when where why how"
_PRONOUNS = "i im me my mine we us our you your he him his she her them its"
_AUXILIARIES = (
    "do does doe did done dont doesnt can could should would may might must shall have has had having am were been "
    "being"
)
STOP_WORDS = frozenset(" ".join((_ARTICLES_AND_PREPOSITIONS, _QUESTIONS, _PRONOUNS, _AUXILIARIES)).split())
