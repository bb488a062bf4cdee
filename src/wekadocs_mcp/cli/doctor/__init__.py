"""`wekadocs-mcp doctor`: what is wrong with an installation or a client's configuration, and the way out.

Imported by: wekadocs_mcp.cli.
"""
