"""The tools of one deployment: contracts paired with handlers, under the names and limits they are served with.

Imported by: wekadocs_mcp.
"""
