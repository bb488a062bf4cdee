"""The host's own reference pages: commands, hooks, settings and Python names.

Imported by: wekadocs_mcp.cli.
"""
