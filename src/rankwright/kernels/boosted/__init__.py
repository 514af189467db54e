"""Boosted trees: packed derivatives, histograms of them, cuts, leaves and scores."""
