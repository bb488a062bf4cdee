"""What a contract is: YAML with places, its schemas and templates, and everything that is wrong with one.

Imported by: wekadocs_contracts, wekadocs_mcp, plugins.
"""
