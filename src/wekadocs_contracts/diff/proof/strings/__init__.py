"""Languages of strings: patterns parsed, made automata, and compared.

Imported by: wekadocs_contracts.diff.
"""
