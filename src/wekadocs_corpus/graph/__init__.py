"""What is related to what: extraction from documents, the embedded graph, and Neo4j.

Imported by: wekadocs_corpus, wekadocs_kit, plugins.
"""
