"""Calls that a client may leave and come back for: the extension `io.modelcontextprotocol/tasks` (2026-07-28).

Imported by: wekadocs_mcp.transports.
"""
