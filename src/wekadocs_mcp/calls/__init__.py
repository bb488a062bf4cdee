"""One call from its arguments to its answer; `dispatch.py` is the straight line through this room.

Imported by: wekadocs_mcp, plugins.
"""
