"""The tables of this plugin, in the truth beside the documents."""

from __future__ import annotations

# Each brings the tables to the next version: add at the end, never change one.
MIGRATIONS = (
    (
        "CREATE TABLE web_pages (url TEXT PRIMARY KEY, document_id TEXT NOT NULL, title TEXT NOT NULL, "
        "media_type TEXT NOT NULL, fetched_at REAL NOT NULL, chunks INTEGER NOT NULL, tokens INTEGER NOT NULL)",
        "CREATE TABLE web_names (name TEXT PRIMARY KEY, url TEXT NOT NULL)",
        "CREATE INDEX web_names_by_url ON web_names (url)",
        "CREATE TABLE web_corpora (name TEXT PRIMARY KEY, crawled_at REAL NOT NULL)",
        "CREATE TABLE web_members (corpus TEXT NOT NULL, url TEXT NOT NULL, PRIMARY KEY (corpus, url))",
        "CREATE TABLE web_frontier (corpus TEXT NOT NULL, seed TEXT NOT NULL, url TEXT NOT NULL, "
        "depth INTEGER NOT NULL, place INTEGER NOT NULL, done INTEGER NOT NULL, PRIMARY KEY (corpus, seed, url))",
    ),
    (
        "CREATE TABLE web_links (url TEXT NOT NULL, target TEXT NOT NULL, words TEXT NOT NULL, sentence TEXT NOT NULL, "
        "place INTEGER NOT NULL, PRIMARY KEY (url, target))",
        "CREATE INDEX web_links_by_target ON web_links (target)",
    ),
)
