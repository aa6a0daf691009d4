"""Tests of the room of judgements."""
