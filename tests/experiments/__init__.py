"""Tests of the room of experiments."""
