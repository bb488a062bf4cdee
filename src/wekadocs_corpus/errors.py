"""What can go wrong, for whom each message is.

CorpusError            the person at the command line, or a tool's caller: says what to do
├── WrongModel         vectors of another model than the configured one
├── DataUnusable       the data directory cannot be used: newer format, network file system, damaged
└── Unavailable        a server is down or refuses us; never carries a key or text
"""

from __future__ import annotations


class CorpusError(Exception):
    """The message says what is wrong and the way out."""


class WrongModel(CorpusError):
    """The vectors at hand were made by another model than the configured one."""


class DataUnusable(CorpusError):
    """The data directory cannot be used as it is."""


class Unavailable(CorpusError):
    """A server that is configured does not answer, or refuses us."""
