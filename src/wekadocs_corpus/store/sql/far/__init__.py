"""What a question needs of a database that is far, in as few ways there and back as can be.

Imported by: wekadocs_corpus.
"""
