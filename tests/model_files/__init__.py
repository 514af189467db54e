"""Model files for tests: of every kind, and taken apart."""
