"""Tests of the room of retrieval."""
