"""Pages that were had before: how long they are good, how they are confirmed, where their bytes are.

Imported by: wekadocs_fetch.
"""
