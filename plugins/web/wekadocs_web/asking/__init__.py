"""A question's way through pages of the web: taken apart, searched, weighed, followed to linked pages, put together.

Imported by: wekadocs_web.
"""
