"""The models we know, with their habits; fusion weights were measured per model, never guessed."""

from __future__ import annotations

from .interface import Fusion, Profile

STATIC = Profile(id="static-wordllama-256-v1", dimension=256, fusion=Fusion(words=3.0, vectors=1.0, k=10.0))
# Scored on six open sets with these weights: facts/engines.md §4.
MINILM_FUSION = Fusion(words=2.0, vectors=1.0, k=10.0)
GRANITE_FUSION = Fusion(words=1.0, vectors=1.0, k=10.0)
