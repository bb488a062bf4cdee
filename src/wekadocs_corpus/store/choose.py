"""Which index answers: the one of this machine, SQLite where that is switched off, or a Qdrant server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.store.truth.interface import Truth

from .interface import SearchIndex

_OFF = "the index folder is switched off; full text and exact vectors of SQLite answer"


def open_index(
    truth: Truth, project: str, profile: Profile, settings: Mapping[str, Any], *, filling: bool = False
) -> SearchIndex:
    """`settings` is the corpus plugin's part of tools.yaml: `qdrant: {url}` and `index: auto | sqlite` count here.

    With `filling` a server's index is for filling, not for asking: `catch_up` tells how far it really has come.
    """
    if (settings.get("qdrant") or {}).get("url"):
        from wekadocs_corpus.store.qdrant.index import QdrantIndex
        from wekadocs_corpus.store.qdrant.standing_in import StandingIn

        server = QdrantIndex(truth, settings["qdrant"], project, profile, filling=filling)
        return server if filling else StandingIn(server, truth.full_text(project, profile))
    if settings.get("index") == "sqlite":
        return truth.full_text(project, profile, _OFF)
    from wekadocs_corpus.store.local.index import LocalIndex

    return LocalIndex(truth, project, profile)
