"""What a live server offers, asked by raw JSON-RPC over stdio or HTTP, in either era; no SDK, and lenient.

Imported by: wekadocs_contracts, wekadocs_mcp.
"""
