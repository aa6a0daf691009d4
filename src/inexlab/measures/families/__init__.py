"""One file per family of measures; each measure registers itself and carries its own manual page."""
