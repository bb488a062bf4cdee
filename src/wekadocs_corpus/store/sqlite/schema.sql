-- The truth: one file, WAL mode, many processes. One transaction per document covers every table below.
-- Offsets are characters (code points) of a document's text. Times are seconds since 1970.
-- Inside, rows name each other by number; ids are what everybody else knows them by, and stand once. Numbers are given
-- in the order of arrival, so that trees grow at their end and their pages are full. An id is a digest in hex: rows are
-- looked for by `digest = id_key(id)`, never by the id, which has no index.

CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- The number keeps the words of projects apart; the count of chunks that have words is what IDF divides.
CREATE TABLE IF NOT EXISTS projects (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, chunks INTEGER NOT NULL);

CREATE TABLE IF NOT EXISTS documents (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,             -- Place.document_id
  project TEXT NOT NULL, environment TEXT NOT NULL, repository TEXT NOT NULL, path TEXT NOT NULL,
  root TEXT NOT NULL,                  -- the folder or file that was ingested: deletions are looked for under it
  url TEXT NOT NULL,                   -- of its page, "" where its site is not known
  source_uri TEXT NOT NULL, title TEXT NOT NULL, doc_tag TEXT NOT NULL, language TEXT NOT NULL,
  updated_at REAL NOT NULL, ingested_at REAL NOT NULL,
  content_hash TEXT NOT NULL, size_bytes INTEGER NOT NULL,
  file_size INTEGER NOT NULL, file_mtime_ns INTEGER NOT NULL,   -- unchanged files are recognised without reading them
  parser_version TEXT NOT NULL,        -- another version of the readers parses again
  neighbours TEXT NOT NULL,            -- JSON: other files it took in, or looked for, each with what tells it unchanged
  tokens INTEGER NOT NULL,
  front_matter TEXT NOT NULL,          -- JSON
  source_lines TEXT,                   -- from lines of the text to lines of the file, see source_lines.py; NULL: unknown
  text BLOB NOT NULL                   -- packed, see packing.py
);
CREATE INDEX IF NOT EXISTS documents_by_scope ON documents (project, environment, doc_tag);
CREATE INDEX IF NOT EXISTS documents_by_path ON documents (project, path);

-- What else a document is tagged with: scopes and filters find it by any of its tags.
CREATE TABLE IF NOT EXISTS other_tags (
  document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE, tag TEXT NOT NULL, PRIMARY KEY (document, tag)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS sections (  -- those of a document are numbered without a gap
  number INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE, id TEXT GENERATED ALWAYS AS (lower(hex(digest))) VIRTUAL,
  document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  ordinal INTEGER NOT NULL, level INTEGER NOT NULL, title TEXT NOT NULL, anchor TEXT NOT NULL,
  headings TEXT NOT NULL,              -- JSON list, outermost first
  "start" INTEGER NOT NULL, "end" INTEGER NOT NULL, parent INTEGER
);
CREATE INDEX IF NOT EXISTS sections_by_document ON sections (document, ordinal);
CREATE INDEX IF NOT EXISTS sections_by_parent ON sections (parent, ordinal);   -- the graph's way down

CREATE TABLE IF NOT EXISTS chunks (
  number INTEGER PRIMARY KEY,          -- the row of the full text index
  digest BLOB NOT NULL UNIQUE, id TEXT GENERATED ALWAYS AS (coalesce(name, lower(hex(digest)))) VIRTUAL,
  document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  section INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  "start" INTEGER NOT NULL, "end" INTEGER NOT NULL, tokens INTEGER NOT NULL,
  kind TEXT NOT NULL, continues INTEGER NOT NULL,
  embedded_hash BLOB NOT NULL,         -- digest of exactly the text that is embedded: key into embeddings
  name TEXT,                           -- its id where it is no digest, see ids.py
  own_text BLOB,                       -- packed, where it is no part of the document's text
  terms BLOB NOT NULL                  -- the sparse BM25 vector, packed, see packing.py
);
CREATE INDEX IF NOT EXISTS chunks_by_document ON chunks (document, ordinal);
CREATE INDEX IF NOT EXISTS chunks_by_embedding ON chunks (embedded_hash);
CREATE INDEX IF NOT EXISTS chunks_by_section ON chunks (section, ordinal);

-- What plugins declare that chunks can be filtered by. Values are text or numbers, as the kind says.
CREATE TABLE IF NOT EXISTS fields (
  number INTEGER PRIMARY KEY, project TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (project, name)
);
CREATE TABLE IF NOT EXISTS field_values (
  field INTEGER NOT NULL, value NOT NULL, chunk INTEGER NOT NULL REFERENCES chunks ON DELETE CASCADE,
  PRIMARY KEY (field, value, chunk)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS field_values_by_chunk ON field_values (chunk);

-- Full text: which chunks have a term, and in how many it is. The words are term ids (see words.py), so that every index
-- searches the same terms. Without content: rows are removed with the 'delete' command and the same words again, which
-- SQLite 3.37 can do (contentless_delete needs 3.43). Weights come from chunks.terms, so neither positions nor sizes.
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (terms, content='', columnsize=0, detail=none, tokenize='ascii');
CREATE VIRTUAL TABLE IF NOT EXISTS word_counts USING fts5vocab (words, row);

CREATE TABLE IF NOT EXISTS models (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS embeddings (
  model INTEGER NOT NULL, embedded_hash BLOB NOT NULL, vector BLOB NOT NULL,     -- little-endian float16, length 1
  PRIMARY KEY (model, embedded_hash)
);                                     -- with rowids: a tree of keys alone is flat, one of whole rows is deep

-- The model whose vectors a project has; the stored one counts, whatever the settings say by now.
CREATE TABLE IF NOT EXISTS bindings (project TEXT PRIMARY KEY, model TEXT NOT NULL, dimension INTEGER NOT NULL) WITHOUT ROWID;

-- One row per document that ever was: its latest change. A reader takes in what is above the number it has seen.
CREATE TABLE IF NOT EXISTS changes (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  document_id TEXT NOT NULL UNIQUE, project TEXT NOT NULL, deleted INTEGER NOT NULL
);

-- How far server-side copies have come (a Qdrant collection, a Neo4j database).
CREATE TABLE IF NOT EXISTS replicas (name TEXT PRIMARY KEY, sequence INTEGER NOT NULL, checked_at REAL NOT NULL) WITHOUT ROWID;

-- The graph. Documents, sections and chunks are nodes by their own ids; entities are shared between documents.
CREATE TABLE IF NOT EXISTS areas (
  number INTEGER PRIMARY KEY, project TEXT NOT NULL, environment TEXT NOT NULL, UNIQUE (project, environment)
);
CREATE TABLE IF NOT EXISTS entities (
  number INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,         -- of project, environment, label and key
  id TEXT GENERATED ALWAYS AS (lower(hex(digest))) VIRTUAL,
  area INTEGER NOT NULL, label TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entities_by_key ON entities (area, key);

-- Every edge belongs to the document it was read from, and goes with it. Nodes and types are numbers: see nodes.py.
CREATE TABLE IF NOT EXISTS edges (
  source INTEGER NOT NULL, type INTEGER NOT NULL, target INTEGER NOT NULL,
  document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  rank INTEGER NOT NULL,               -- orders as the source's id does: the first of a hub's are found without the rest
  weight REAL NOT NULL,                -- how often, for mentions
  evidence BLOB NOT NULL,              -- spans of the document's text, packed, see packing.py
  PRIMARY KEY (source, type, target, document)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS edges_by_target ON edges (target, type, rank);
CREATE INDEX IF NOT EXISTS edges_by_document ON edges (document);

-- Names that texts give to concepts which any document may define, now, later or never: packed, see names.py. They are
-- edges only where the concept is stored; name_places finds those that wait for one.
CREATE TABLE IF NOT EXISTS names (
  document INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE, packed BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS name_places (
  concept INTEGER NOT NULL,            -- the beginning of its id
  document INTEGER NOT NULL,
  PRIMARY KEY (concept, document)
) WITHOUT ROWID;

-- Links whose target is a path or anchor that may be ingested later; resolved in the same transaction as either end.
CREATE TABLE IF NOT EXISTS links (
  document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  ordinal INTEGER NOT NULL, section INTEGER NOT NULL,
  target_key INTEGER NOT NULL, target_path TEXT NOT NULL, target_anchor TEXT NOT NULL,
  "start" INTEGER NOT NULL, "end" INTEGER NOT NULL,
  PRIMARY KEY (document, ordinal)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS links_by_target ON links (target_key);

-- What wiki links call a document by: see page_names.py. Keys as those of links.
CREATE TABLE IF NOT EXISTS page_names (
  name_key INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (name_key, document)
) WITHOUT ROWID;
