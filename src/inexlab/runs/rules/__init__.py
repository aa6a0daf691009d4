"""One file per group of rules for runs; each rule registers itself."""
