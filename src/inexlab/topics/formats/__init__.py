"""One file per topic format; each registers itself."""
