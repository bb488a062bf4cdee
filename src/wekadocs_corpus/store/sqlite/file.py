"""The truth's file in a data directory."""

FILE = "corpus.db"
