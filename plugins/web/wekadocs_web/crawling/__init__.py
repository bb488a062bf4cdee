"""Many pages at once: where a site says its pages are, what is still to be read of it, and reading it.

Imported by: wekadocs_web.
"""
