"""Tests of the campaign presets."""
