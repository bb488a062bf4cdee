"""What a folder with a sentence-embedding model says of itself: Sentence Transformers' files, ours, the settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from .interface import EmbeddingUnavailable, Fusion
from .profiles import GRANITE_FUSION, MINILM_FUSION

OWN = "embedding.json"  # what recipes write; its keys are Habits' fields
KNOWN: dict[str, dict[str, Any]] = {
    "minilm": {"pooling": "mean", "fusion": asdict(MINILM_FUSION)},
    "granite": {"pooling": "cls", "fusion": asdict(GRANITE_FUSION)},
}
_NAMES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")


@dataclass(frozen=True)
class Habits:
    """How texts go in and rows come out; each may be set in tools.yaml."""

    pooling: str = "mean"  # or cls
    normalise: bool = True
    query_prefix: str = ""
    passage_prefix: str = ""
    lower_case: bool = False
    max_tokens: int = 256
    fusion: Fusion = MINILM_FUSION


def model_file(folder: Path, named: str = "") -> Path:
    """The model in a folder: the one that is named, a usual name, or the only one there is."""
    if named:
        path = folder / named
        if path.is_file():
            return path
        raise EmbeddingUnavailable(f"embedding.file: {path} is not there")
    for name in _NAMES:
        if (folder / name).is_file():
            return folder / name
    found = sorted(folder.glob("*.onnx")) or sorted((folder / "onnx").glob("*.onnx"))
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(str(path.relative_to(folder)) for path in found)
        raise EmbeddingUnavailable(f"{folder} has several models; set embedding.file to one of {names}")
    raise EmbeddingUnavailable(f"{folder} has no .onnx file; see docs/how-to/choose-an-embedding.md for recipes")


def known(settings: Mapping[str, object]) -> dict[str, Any]:
    """The habits of the model that `embedding.profile` names."""
    name = settings.get("profile")
    if not name:
        return {}
    if name not in KNOWN:
        raise EmbeddingUnavailable(f"embedding.profile must be one of {', '.join(KNOWN)}, not {name}")
    return KNOWN[name]


def habits(folder: Path, settings: Mapping[str, object]) -> Habits:
    """The settings win over the known profile, that over our file, and that over Sentence Transformers' files."""
    told = {**_from_sentence_transformers(folder), **_json(folder / OWN), **known(settings)}
    told |= {key: settings[key] for key in Habits.__dataclass_fields__ if settings.get(key) is not None}
    try:
        told["fusion"] = replace(MINILM_FUSION, **told.get("fusion", {}))
        result = Habits(**{key: told[key] for key in Habits.__dataclass_fields__ if key in told})
    except TypeError as error:
        raise EmbeddingUnavailable(f"{folder / OWN}: fusion has words, vectors and k") from error
    if result.pooling not in {"mean", "cls"}:
        raise EmbeddingUnavailable(f"embedding.pooling must be mean or cls, not {result.pooling}")
    return result


def _from_sentence_transformers(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if _json(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token"):
        told["pooling"] = "cls"
    sentence = _json(folder / "sentence_bert_config.json")
    if sentence.get("max_seq_length"):
        told["max_tokens"] = min(int(sentence["max_seq_length"]), Habits.max_tokens)
    if sentence.get("do_lower_case"):
        told["lower_case"] = True
    prompts = _json(folder / "config_sentence_transformers.json").get("prompts") or {}
    told["query_prefix"] = str(prompts.get("query") or "")
    told["passage_prefix"] = str(prompts.get("document") or prompts.get("passage") or "")
    return told


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise EmbeddingUnavailable(f"{path} cannot be read as JSON") from error
    return data if isinstance(data, dict) else {}
