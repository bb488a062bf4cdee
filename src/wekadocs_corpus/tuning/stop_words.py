"""Words a question can do without, written and stemmed. They are dropped only when something else is left."""

from __future__ import annotations

_ARTICLES_AND_PREPOSITIONS = (
    "a an and are as at be but by for from if in into is it no not of on or such that the their then there these they "
    "this to was will with about than so too very veri just also any ani some each e.g i.e eg ie etc w/o"
)
_QUESTIONS = "what whats which who whom whose when where why how"
_PRONOUNS = "i im me my mine we us our you your he him his she her them its"
_AUXILIARIES = (
    "do does doe did done dont doesnt can could should would may might must shall have has had having am were been "
    "being"
)
# Without accents, as the analyser folds them.
_FOREIGN = {
    "de": (
        "der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war wird "
        "werden wurde kann konnen muss soll sollte darf haben hat hatte sein ich du er sie es wir ihr man mich mir "
        "mein meine meinen meinem sich zu zum zur im in an am auf aus bei mit nach von vom vor fur uber um als wie "
        "was wer wo wann warum wieso welche welcher welches welchen welchem wenn ob dass dies diese dieser dieses "
        "diesen durch auch nur noch so da gibt"
    ),
    "fr": (
        "le la les un une des du de au aux et ou mais ne pas est sont etait etre suis ai as a ont avoir je tu il "
        "elle on nous vous ils elles me mon ma mes ce cet cette ces se sa son ses que qui quoi quel quelle quels "
        "quelles comment pourquoi quand dans en sur sous avec sans pour par y fait faire peut puis dois faut est- "
        "ce si plus"
    ),
    "es": (
        "el la los las un una unos unas y o pero no es son era ser estar esta este estos estas ese eso he ha han "
        "haber yo tu ella nosotros me mi mis se su sus que quien cual cuales como cuando donde por para con sin de "
        "del al en sobre a lo le si puedo puede debo hay hacer hace"
    ),
    "it": (
        "il lo la i gli le un uno una e o ma non sono era essere ho ha hanno avere io tu lui lei noi mi mio mia "
        "che chi cosa quale quali come quando dove perche di del della dei delle da dal in nel nella su sul con "
        "per tra fra si posso puo devo fare"
    ),
    "pt": (
        "o a os as um uma uns umas e ou mas nao sao era ser estar esta este esse isso eu tu ele ela nos me meu "
        "minha se seu sua que quem qual quais como quando onde por para com sem de do da dos das no na nas em ao "
        "posso pode devo fazer faz"
    ),
    "nl": (
        "de het een en of maar niet geen is zijn was worden wordt kan kunnen moet ik jij hij zij wij mijn me zich "
        "dat die dit deze wat wie waar wanneer waarom hoe welke in op aan met van voor naar bij om te als er"
    ),
}
FOREIGN_STOP_WORDS = {name: frozenset(words.split()) for name, words in _FOREIGN.items()}
STOP_WORDS = frozenset(" ".join((_ARTICLES_AND_PREPOSITIONS, _QUESTIONS, _PRONOUNS, _AUXILIARIES)).split())
