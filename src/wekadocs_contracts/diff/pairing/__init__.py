"""Which tool of one side is which of the other: by name, by what a name means now, by likeness; and what is left over.

Imported by: wekadocs_contracts.diff.
"""
