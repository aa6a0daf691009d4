"""One file per scale of grades; each quantisation registers itself."""
