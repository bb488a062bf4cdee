"""The tools that read: one file each, with what they show of a note beside them.

Imported by: wekadocs_notes.
"""
