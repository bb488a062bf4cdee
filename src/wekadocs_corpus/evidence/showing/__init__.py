"""How evidence is shown in little room: where an excerpt ends, and a passage's best sentences in one line.

Imported by: wekadocs_corpus, plugins.
"""
