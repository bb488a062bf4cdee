"""Folders of papers and books to chunks: by a call, by a command, and whenever something in them changes.

Imported by: wekadocs_chunks.
"""
