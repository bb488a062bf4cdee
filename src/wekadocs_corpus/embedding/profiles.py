"""The models we know, with their habits; fusion weights were measured per model, never guessed."""

from __future__ import annotations

from .interface import Fusion, Profile

# By rank (3 : 1, k 10) the static model gains .002 over words alone and costs up to .015 on one set; by score it gains
# .013 and costs nothing on any of the eight open sets: bench/corpus/quality.py.
STATIC = Profile(id="static-wordllama-256-v1", dimension=256, fusion=Fusion(words=1.0, vectors=0.25, by="score"))
# Encoders rank well enough for reciprocal ranks; weights measured on six open sets.
MINILM_FUSION = Fusion(words=2.0, vectors=1.0, k=10.0)
GRANITE_FUSION = Fusion(words=1.0, vectors=1.0, k=10.0)
