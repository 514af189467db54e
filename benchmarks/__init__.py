"""Measure rankwright beside its peers: ``python -m benchmarks [case ...] [--quick]``."""
