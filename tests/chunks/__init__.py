"""Tests of the room of chunks."""
