"""One reader a format (Markdown, AsciiDoc, plain text), and the links they find.

Imported by: wekadocs_corpus.
"""
