"""Who may be asked: how a host is written, which addresses are anybody's business, what the settings allow.

Imported by: wekadocs_fetch.
"""
