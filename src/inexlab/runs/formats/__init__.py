"""One file per run format; each registers itself."""
