"""What the settings of the plugin corpus name, loaded; nothing heavy is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.store.truth.rows import Binding

from .errors import WrongModel

if TYPE_CHECKING:
    import numpy as np

    from wekadocs_corpus.embedding.interface import Embedder, Profile
    from wekadocs_corpus.evidence.choosing.weighing import Likeness
    from wekadocs_corpus.graph.extraction.rules import EntityRules
    from wekadocs_corpus.ingest.reading.limits import Limits
    from wekadocs_corpus.retrieval.closeness import Closeness
    from wekadocs_corpus.store.truth.interface import Truth


def truth_settings(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Of a database that machines share; empty where the truth is a file of this one."""
    found: Mapping[str, Any] = settings.get("truth") or {}
    return found if found.get("url") else {}


def open_truth(data_dir: Path, settings: Mapping[str, object] | None = None) -> Truth:
    """`settings` is the corpus plugin's part of tools.yaml: `truth: {url}` counts here."""
    if server := truth_settings(settings or {}):
        from wekadocs_corpus.store.postgres.driver import load

        load()
        from wekadocs_corpus.store.postgres.truth import PostgresTruth

        return PostgresTruth(data_dir, server)
    from wekadocs_corpus.store.sqlite.truth import SqliteTruth

    return SqliteTruth(data_dir)


def has_truth(data_dir: Path, settings: Mapping[str, object] | None = None) -> bool:
    """Whether anything was ever taken in there; a database is there, or cannot be asked."""
    if truth_settings(settings or {}):
        return True
    from wekadocs_corpus.store.errors import StoreError
    from wekadocs_corpus.store.sqlite.file import FILE

    try:
        (data_dir / FILE).stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise StoreError(
            f"{data_dir}: {error.strerror}; check its owner and rights, or choose another --data"
        ) from None
    return True


def embedding_settings(settings: Mapping[str, Any], project: str) -> Mapping[str, Any]:
    """Of a project's own model, else of the one for all."""
    found: Mapping[str, Any] = (settings.get("embeddings") or {}).get(project) or settings["embedding"]
    return found


def embedding_of(settings: Mapping[str, Any], project: str = "") -> Embedder:
    from wekadocs_corpus.embedding.choose import load

    return load(embedding_settings(settings, project))


class Later:
    """The configured model where others embed with their own copy of it: loaded when it is needed here after all."""

    def __init__(self, profile: Profile, settings: Mapping[str, object], project: str = "") -> None:
        self.profile, self._settings, self._project = profile, settings, project
        self.instant = True

    @cached_property
    def _model(self) -> Embedder:
        return embedding_of(self._settings, self._project)

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        return self._model.embed_passages(texts)

    def embed_query(self, text: str) -> np.ndarray:
        return self._model.embed_query(text)


def closeness_of(embedder: Embedder) -> Closeness | None:
    """What looks at candidates a second time, for models that ask for it."""
    if not embedder.profile.fusion.closeness:
        return None
    from wekadocs_corpus.embedding.static import StaticEmbedder
    from wekadocs_corpus.retrieval.closeness import Closeness

    words = embedder if isinstance(embedder, StaticEmbedder) else StaticEmbedder()
    return Closeness(words.embed_words)


def likeness_of(embedder: Embedder) -> Likeness:
    """Between a question and texts, by the static model whatever the index was made with."""
    from wekadocs_corpus.embedding.likeness import StaticLikeness
    from wekadocs_corpus.embedding.static import StaticEmbedder

    return StaticLikeness(embedder if isinstance(embedder, StaticEmbedder) else StaticEmbedder())


def known_profile(settings: Mapping[str, Any], project: str = "") -> Profile | None:
    """The configured model's identity, where it is known without loading the model."""
    if embedding_settings(settings, project).get("provider", "static") != "static":
        return None
    from wekadocs_corpus.embedding.profiles import STATIC

    return STATIC


def limits_of(settings: Mapping[str, Any]) -> Limits:
    """What one file may cost."""
    from wekadocs_corpus.ingest.reading.limits import Limits

    names = [each.name for each in fields(Limits)]
    return Limits(**{name: settings["ingest"][name] for name in names if name in settings["ingest"]})


def rules_of(settings: Mapping[str, Any]) -> EntityRules | None:
    """The user's own entity rules, if any."""
    path = settings["ingest"].get("entity_rules")
    if not path:
        return None
    import yaml

    from wekadocs_corpus.graph.extraction.rules import BadRules, read_rules

    try:
        return read_rules(yaml.safe_load(Path(path).expanduser().read_text("utf-8")), path)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadRules(f"{path}: {str(error).splitlines()[0]}") from error


def claim_model(truth: Truth, project: str, profile: Profile) -> None:
    """Vectors of two models cannot be mixed: a project's first ingest decides, `--reembed` changes it."""
    stored = truth.binding(project)
    if stored is None or not any(name == project for name, _ in truth.stamps()):
        truth.bind(project, Binding(profile.id, profile.dimension))
    elif not fits(stored, profile):
        raise WrongModel(_wrong_model(project, stored, profile))


def fits(stored: Binding | None, profile: Profile) -> bool:
    """What is stored decides, whatever the settings say by now."""
    return stored is None or stored == (profile.id, profile.dimension)


def _wrong_model(project: str, stored: Binding, profile: Profile) -> str:
    way = "run `wekadocs-mcp ingest --reembed`, or set the former model again under plugins.corpus.embedding"
    numbers = "" if stored.model != profile.id else f" ({stored.dimension} numbers each, now {profile.dimension})"
    return (
        f"the vectors of project {project} were made with {stored.model}{numbers}, "
        f"the configured model is {profile.id}: {way}"
    )
