"""What is written from contracts: reference pages, guides and contracts.lock.json.

Imported by: wekadocs_contracts, wekadocs_mcp.
"""
