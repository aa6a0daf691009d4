"""A small share of the long trials."""
