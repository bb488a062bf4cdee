"""The same tools for agents without MCP: /openapi.json tells them, POST /tools/NAME calls them.

Imported by: wekadocs_mcp.
"""
