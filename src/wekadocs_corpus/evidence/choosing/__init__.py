"""From passages to quotes: blocks, units of meaning, how likely each has the answer, in which order they are quoted.

Imported by: wekadocs_corpus, plugins.
"""
