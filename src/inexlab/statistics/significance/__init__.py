"""One file per significance test; each registers itself."""
