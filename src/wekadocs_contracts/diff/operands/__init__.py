"""What either side of a comparison is read from; `choose.read` finds the reader.

Imported by: wekadocs_contracts.diff, wekadocs_contracts.commands.
"""
