"""robots.txt by RFC 9309: what a site asks of those who read it, and remembering it.

Imported by: wekadocs_fetch.
"""
