"""Types made from contracts: for handlers in Python, so that a type checker finds drift, and for clients in TypeScript.

Imported by: wekadocs_contracts.
"""
