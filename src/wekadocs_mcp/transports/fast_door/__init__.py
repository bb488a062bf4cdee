"""What answers a handshake and lists before the host is imported, from a cache of the last start.

Imported by: wekadocs_mcp.
"""
