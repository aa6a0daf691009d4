"""Ways of pooling: one file each, found by the registry."""
