"""Quotations: read out of a text with their citations, and found in what is stored, however it was printed.

Imported by: wekadocs_chunks.
"""
