"""Below the routes: connections, their limits, and the protocol on one socket.

Imported by: wekadocs_mcp.transports.
"""
