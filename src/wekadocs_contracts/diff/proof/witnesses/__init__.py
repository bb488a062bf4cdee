"""Values that one schema takes and another refuses: found, and made small.

Imported by: wekadocs_contracts.diff.
"""
