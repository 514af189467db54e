"""Boosted trees: each one is a Newton step of a loss over pairs or labels."""
