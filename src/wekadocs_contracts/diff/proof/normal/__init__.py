"""Schemas of any dialect brought into one form that the proof can read.

Imported by: wekadocs_contracts.diff.
"""
