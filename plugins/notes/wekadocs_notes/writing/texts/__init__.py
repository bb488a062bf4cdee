"""One place of a note's text changed, every other byte kept: properties, links, sections.

Imported by: wekadocs_notes.
"""
