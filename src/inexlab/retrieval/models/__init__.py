"""One file per retrieval model; each registers itself."""
