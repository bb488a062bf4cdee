"""The tools that write: one file each, and what makes every write whole, durable and kind to the rest of a file.

Imported by: wekadocs_notes.
"""
