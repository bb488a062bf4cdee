"""Whether every value of one schema is one of another: proven, refuted by a witness, or neither.

Imported by: wekadocs_contracts.diff.
"""
