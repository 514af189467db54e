"""Consensus rankings: exact with a certificate, fast without."""

from rankwright.aggregation.agreement import agreement
from rankwright.aggregation.consensus import Consensus, aggregate

__all__ = ["Consensus", "aggregate", "agreement"]
