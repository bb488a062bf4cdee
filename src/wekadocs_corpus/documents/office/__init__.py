"""Files that are archives of XML: Word, PowerPoint, EPUB. Each becomes HTML and is read as such.

Imported by: wekadocs_corpus.
"""

from .epub import read_epub
from .slides import read_slides
from .word import read_word

__all__ = ["read_epub", "read_slides", "read_word"]
