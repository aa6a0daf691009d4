"""One file per judgement format; each registers itself."""
