"""Passages, cursors and sessions in this process alone.

Imported by: wekadocs_scratch.
"""
