"""Where the `mcp` SDK is touched: its private names, and what stands in for them.

Imported by: wekadocs_mcp.
"""
