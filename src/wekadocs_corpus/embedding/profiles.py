"""The models we know, with their habits; fusion weights were measured per model, never guessed."""

from __future__ import annotations

from .interface import Fusion, Profile

# Round numbers from a flat optimum on the open sets (bench/corpus/quality.py); by rank (3 : 1, k 10) the static model
# gained .002 nDCG@10 over words alone and cost .015 on one set.
STATIC = Profile(
    id="static-wordllama-256-v1", dimension=256, fusion=Fusion(words=1.0, vectors=0.3, by="score", closeness=0.5)
)
# Encoders rank well enough for reciprocal ranks; weights measured on six open sets.
MINILM_FUSION = Fusion(words=2.0, vectors=1.0, k=10.0)
GRANITE_FUSION = Fusion(words=1.0, vectors=1.0, k=10.0)
