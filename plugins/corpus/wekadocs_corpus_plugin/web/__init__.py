"""`ingest https://…`: the pages of a site, told by its sitemap, its llms.txt or its links, as a source.

Imported by: wekadocs_corpus_plugin.
"""
