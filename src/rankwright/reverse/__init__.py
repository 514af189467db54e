"""Reverse-engineer a published rating, and prove that no formula fits better."""
