"""The command line of contracts: lint, new, docs, lock, snapshot, diff; alone, or as a group of the host's.

Imported by: wekadocs_contracts.__main__, wekadocs_mcp.
"""
