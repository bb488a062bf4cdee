"""Where documents come from: what there is to read, what is left out and why, what changed meanwhile.

Imported by: wekadocs_corpus.ingest, plugins.
"""
