"""Tests of the room of the index."""
