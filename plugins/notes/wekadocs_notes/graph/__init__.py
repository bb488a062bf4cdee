"""Who links to whom: neighbours, ways, hubs, wherever the edges are kept. The way of asking is one, so answers agree.

Imported by: wekadocs_notes.
"""

from .edges import Edges, MemoryEdges, Seen, ServerEdges
from .hubs import hubs
from .ways import Around, around, path

__all__ = ["Around", "Edges", "MemoryEdges", "Seen", "ServerEdges", "around", "hubs", "path"]
