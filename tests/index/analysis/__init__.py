"""Tests of how text becomes terms."""
