"""Rules that merge the judgements of several assessors: one file each, found by the registry."""
