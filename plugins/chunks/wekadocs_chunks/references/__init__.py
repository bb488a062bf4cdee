"""A project's bibliography: read from CSL-JSON, BibTeX or RIS, and matched to what is stored.

Imported by: wekadocs_chunks.
"""
