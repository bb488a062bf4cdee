"""MCP and the operator's pages over HTTP: who may speak, sessions, streams.

Imported by: wekadocs_mcp.
"""
