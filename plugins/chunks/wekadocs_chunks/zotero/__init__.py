"""Zotero's library on this machine, only ever read: items, collections, tags, attachments, annotations and notes.

Imported by: wekadocs_chunks.
"""
