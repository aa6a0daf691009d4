"""The experiments of five papers, re-done with a synthetic campaign: see docs/papers."""
