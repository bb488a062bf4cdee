"""Pages that show their text only to a browser: a Chromium of this machine, behind the same guard.

Imported by: wekadocs_fetch.
"""
