"""Tests that open what we write in a browser."""
