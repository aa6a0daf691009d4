"""Formats of pools: one file each, found by the registry."""
