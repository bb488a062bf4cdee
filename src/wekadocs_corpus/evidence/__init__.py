"""Which sentences of passages answer a question: units, coverage, quotes, how sure they are, and how they are shown.

Pure: text and weights in, spans out. Retrieval is before it, a tool's answer after it.

Imported by: wekadocs_corpus, plugins.
"""
