"""The models we know, with their habits; fusion weights were measured per model, never guessed."""

from __future__ import annotations

from .interface import Fusion, Profile

# By rank this model costs up to .015 nDCG@10 on a set; by score it gains about .01 and costs nothing on any open set:
# bench/corpus/quality.py.
STATIC = Profile(id="static-wordllama-256-v1", dimension=256, fusion=Fusion(words=1.0, vectors=0.3, by="score"))
# Encoders rank well enough for reciprocal ranks; weights measured on six open sets.
MINILM_FUSION = Fusion(words=2.0, vectors=1.0, k=10.0)
GRANITE_FUSION = Fusion(words=1.0, vectors=1.0, k=10.0)
