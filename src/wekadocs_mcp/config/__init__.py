"""tools.yaml: layers, the environment in them, and what holds in the end.

Imported by: wekadocs_mcp.
"""
