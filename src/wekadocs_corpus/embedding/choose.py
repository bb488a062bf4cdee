"""Which model embeds: the one `plugins.corpus.embedding` names, loaded when first used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wekadocs_corpus.errors import CorpusError

from .interface import Embedder

PROVIDERS = ("static", "onnx", "http", "given")


class UnknownProvider(CorpusError):
    """For whoever wrote tools.yaml: names the place, the value and the choices."""


def load(settings: Mapping[str, Any]) -> Embedder:
    """The embedder the settings ask for; the static one when they say nothing."""
    provider = settings.get("provider", "static")
    match provider:
        case "static":
            from .static import StaticEmbedder

            return StaticEmbedder()
        case "onnx":
            from .onnx import load as load_onnx

            return load_onnx(settings)
        case "openai" | "openai-compatible" | "http":
            from .http import load as load_http

            return load_http(settings)
        case "given":
            from .given import load as load_given

            return load_given(settings)
        case _:
            raise UnknownProvider(
                f"plugins.corpus.embedding.provider: {provider!r} is unknown; choose one of {', '.join(PROVIDERS)}"
            )
