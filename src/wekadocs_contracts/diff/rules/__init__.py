"""What a change is called, how bad it is and why: the table of rules, and the walk that applies them.

Imported by: wekadocs_contracts.diff.
"""
