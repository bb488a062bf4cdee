"""`contracts diff`: two sets of tools in, every change out, with its proof and a call that fails.

Imported by: wekadocs_contracts.lint, wekadocs_contracts.commands, wekadocs_contracts.live, wekadocs_mcp.cli.reference.
"""
