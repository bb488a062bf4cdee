"""Documents in, passages and a graph out: the library that plugins share. It knows nothing of MCP.

Imported by: wekadocs_kit, plugins.
"""
