"""What can go wrong, and for whom each message is.

CorpusError                 the person at the command line, or a tool's caller: says what is wrong and what to do
├── WrongModel              vectors of another model than the configured one
├── Unavailable             a server that is configured is down or refuses us; never carries a key or text
│   └── index, graph, embedding and reranker have their own
├── store.errors.StoreError the data directory cannot be used: busy, newer format, damaged, network file system
└── BadRules, UnknownProvider, NothingThere: a setting or a path that makes no sense
"""

from __future__ import annotations


class CorpusError(Exception):
    """The message says what is wrong and the way out."""


class WrongModel(CorpusError):
    """The vectors at hand were made by another model than the configured one."""


class Unavailable(CorpusError):
    """A server that is configured does not answer, or refuses us."""
