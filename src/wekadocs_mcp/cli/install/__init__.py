"""`wekadocs-mcp install`: our entry in a client's configuration file; whatever else stands in it stays as it is.

Imported by: wekadocs_mcp.cli.
"""
