"""Text to vectors: one small interface, three providers."""
