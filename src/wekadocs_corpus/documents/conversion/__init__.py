"""What readers that write Markdown share: lines with where they come from, tables, labels, files beside the page.

Imported by: wekadocs_corpus.
"""
