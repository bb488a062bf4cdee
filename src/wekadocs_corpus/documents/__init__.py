"""Files to documents: readers, sections, chunks."""
