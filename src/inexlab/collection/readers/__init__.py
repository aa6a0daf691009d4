"""Kinds of documents; each module registers a reader. A new kind is a new module here, or a plug-in."""
