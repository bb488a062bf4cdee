"""Where notes may be written, and how: planned, whole, durable, one server at a time.

Imported by: wekadocs_notes.
"""
