"""Packages that plug in, and what `inexlab new` writes."""
