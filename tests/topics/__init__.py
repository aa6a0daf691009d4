"""Tests of the room of topics."""
