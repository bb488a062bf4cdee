"""Documents in, passages and a graph out: the library that plugins share. It knows nothing of MCP.

Names are loaded when they are asked for: most of what stands behind them is heavy.

Imported by: wekadocs_kit, plugins.
"""

TYPE_CHECKING = False  # type checkers look for this name; importing `typing` costs time at every start
if TYPE_CHECKING:
    from .corpus import Corpus
    from .ingest.planning import Stamp
    from .ingest.report import Done, Progress
    from .ingest.sources.given import Given
    from .ingest.sources.origin import BytesOrigin, FetchedOrigin, Origin, Version
    from .ingest.sources.scan import roots
    from .ingest.sources.source import Source

_HOME = {
    "BytesOrigin": "ingest.sources.origin",
    "Corpus": "corpus",
    "Done": "ingest.report",
    "FetchedOrigin": "ingest.sources.origin",
    "Given": "ingest.sources.given",
    "Origin": "ingest.sources.origin",
    "Progress": "ingest.report",
    "Source": "ingest.sources.source",
    "Stamp": "ingest.planning",
    "Version": "ingest.sources.origin",
    "roots": "ingest.sources.scan",
}

__all__ = [
    "BytesOrigin",
    "Corpus",
    "Done",
    "FetchedOrigin",
    "Given",
    "Origin",
    "Progress",
    "Source",
    "Stamp",
    "Version",
    "roots",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
