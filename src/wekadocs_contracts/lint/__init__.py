"""What is legal in a contract and will hurt some client, model or maintainer: `contracts lint`.

Imported by: wekadocs_contracts.commands, wekadocs_mcp.
"""
