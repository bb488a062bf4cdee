"""From bytes to calls and back: stdio, HTTP, the SDK behind its seam, and the door that is open before it.

Imported by: wekadocs_mcp.
"""
