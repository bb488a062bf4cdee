"""Passages, cursors and sessions in a Valkey or Redis that several servers share.

Imported by: wekadocs_scratch.
"""
