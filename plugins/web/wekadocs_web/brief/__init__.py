"""What was found as a research brief: sources, evidence, images, the way through the pages, citations, figures.

Imported by: wekadocs_web.
"""

from .composing import Brief, compose
from .result import Citation, Evidence, NextStep, Result, Stats, Visit

__all__ = ["Brief", "Citation", "Evidence", "NextStep", "Result", "Stats", "Visit", "compose"]
