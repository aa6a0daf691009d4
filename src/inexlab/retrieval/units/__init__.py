"""One file per kind of unit; each registers itself."""
