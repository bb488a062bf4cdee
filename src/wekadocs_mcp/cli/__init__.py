"""The command line: each command imports what it needs when it runs.

Imported by: wekadocs_mcp, plugins.
"""
