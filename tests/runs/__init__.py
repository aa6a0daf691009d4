"""Tests of the room of runs."""
