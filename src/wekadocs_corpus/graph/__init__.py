"""What is related to what: extraction from documents, the embedded graph, and Neo4j."""
