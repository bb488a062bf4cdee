"""Pages that the pages of a call lead to: what is known of them, and which one to read next.

Imported by: wekadocs_web.asking.
"""
