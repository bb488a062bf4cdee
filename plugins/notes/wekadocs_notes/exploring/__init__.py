"""The tools that look around in a vault, beyond the seed's: lists, tags, names, graphs, links to make, a guide.

Imported by: wekadocs_notes.
"""
