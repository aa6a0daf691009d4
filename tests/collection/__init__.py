"""Tests of the room of documents."""
