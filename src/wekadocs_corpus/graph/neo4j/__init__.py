"""The graph in Neo4j, kept in step with the truth.

Imported by: wekadocs_corpus.
"""
