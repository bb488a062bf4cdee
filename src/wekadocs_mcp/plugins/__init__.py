"""Plugins: found, imported, checked against their hooks, and kept alive while the server runs.

Imported by: wekadocs_mcp, plugins.
"""
