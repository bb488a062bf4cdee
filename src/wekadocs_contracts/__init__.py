"""Contracts of tools: read, checked, rendered as pages, and compared. No host, no SDK, no store.

Imported by: wekadocs_mcp, plugins.
"""
