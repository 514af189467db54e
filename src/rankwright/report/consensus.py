"""What a consensus shows, in plain words."""

import numpy as np
import pandas as pd

from rankwright.aggregation import Consensus
from rankwright.data import VoterOrders

__all__ = ["consensus_table", "consensus_words", "open_votes"]


def consensus_table(consensus: Consensus) -> pd.DataFrame:
    """Return the items by their positions."""
    items = pd.Index([str(item) for item in consensus.items], name="item")
    return pd.DataFrame({"position": consensus.positions}, index=items).sort_values("position")


def consensus_words(consensus: Consensus) -> str:
    """Say how close to optimal a consensus is proved to be."""
    found = f"{consensus.method}: cost {consensus.cost:g}"
    if consensus.optimal:
        return f"{found}, proved to be the least possible ({consensus.seconds:.2g} s)"
    return f"{found}; no ranking costs less than {consensus.bound:g} ({consensus.seconds:.2g} s)"


def open_votes(votes: pd.DataFrame | VoterOrders, what: str) -> list[str]:
    """Say how much the voters left open, and how it counts."""
    if isinstance(votes, VoterOrders):
        lengths = [sum(map(np.size, order)) for order in votes.orders]
        n_open = int(votes.counts[np.array(lengths) < len(votes.items)].sum())
        found = f"{n_open:,} of {votes.counts.sum():,} voters left items open"
    else:
        n_open = int(votes.isna().to_numpy().sum())
        found = f"{n_open:,} of {votes.size:,} {what} {'is' if n_open == 1 else 'are'} missing"
    if not n_open:
        return []
    return [f"{found}: pairs with such an item do not count for that voter; it is not ranked last."]
