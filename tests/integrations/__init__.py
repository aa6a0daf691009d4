"""Tests with real objects of other packages: `make test-integrations` installs these."""
