"""What one document says about the graph: names, definitions, procedures, links.

Imported by: wekadocs_corpus.
"""
