"""What can go wrong with the stores. Each message is for the operator: it names the place and the way out."""

from __future__ import annotations

from wekadocs_corpus.errors import CorpusError, Unavailable


class StoreError(CorpusError):
    """Anything below; the text may be shown to whoever runs the server."""


class Busy(StoreError, Unavailable):
    """Other processes kept the store for longer than anyone should wait."""


class NoRoom(StoreError):
    """The disk is nearly full: what can be made anew must not take the last of it."""


class TooNew(StoreError):
    """A later release wrote this store."""


class TooOld(StoreError):
    """An earlier release wrote this store."""


class Damaged(StoreError):
    """The file is not what was written; it must be made anew."""


class Replaced(StoreError):
    """The file that was opened is no longer the one of its name."""


class Refused(StoreError):
    """The store cannot live in this place."""
