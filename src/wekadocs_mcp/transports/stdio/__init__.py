"""MCP over standard input and output.

Imported by: wekadocs_mcp.
"""
