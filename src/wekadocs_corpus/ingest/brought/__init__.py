"""Sources that are brought to this machine first: a repository at a Git address, an archive; then read as folders are.

Imported by: wekadocs_corpus.
"""

from .archive import is_archive, unpacked
from .git import is_git_address, repository

__all__ = ["is_archive", "is_git_address", "repository", "unpacked"]
