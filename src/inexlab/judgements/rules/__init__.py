"""One file per group of rules for judgements; each rule registers itself."""
