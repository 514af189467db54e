"""Kernels of trees: how they grow, where rows fall, what is pruned and what features add."""
