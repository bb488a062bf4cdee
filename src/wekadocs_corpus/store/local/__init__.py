"""The index of this machine: arrays on disk that all processes map, and what changed since they were written.

Imported by: wekadocs_corpus.
"""
