"""What changes a collection: batches judged whole and written whole, documents deleted, another model.

Imported by: wekadocs_chunks.
"""
