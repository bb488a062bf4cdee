"""What is indexed, and what is being taken in.

Imported by: wekadocs_corpus_plugin.
"""
