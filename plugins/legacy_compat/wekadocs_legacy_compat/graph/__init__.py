"""The former server's tools over the graph, one file each; `relations` reads their relationship types.

Imported by: wekadocs_legacy_compat.
"""
