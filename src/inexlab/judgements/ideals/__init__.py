"""One file per construction of the ideal recall base; each registers itself."""
