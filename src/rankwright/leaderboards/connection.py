"""Which strengths the comparisons determine, and which they leave infinite or unknown."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from rankwright.leaderboards.ballots import Ballots
from rankwright.leaderboards.battles import Battles
from rankwright.leaderboards.outcomes import FloatArray, IntArray

__all__ = ["Connection", "connection", "wins_of_ballots", "wins_of_battles"]


@dataclass(frozen=True, eq=False)
class Connection:
    """What can be said about each item's strength.

    Attributes
    ----------
    finite : (items,) bool array
        The largest set of items each of which beat each other, perhaps by way of others (Ford
        1957): their strengths are finite, relative to each other.
    infinite : (items,) array
        For the other items inf if nobody of the set beat them, by way of others either, -inf if
        they beat nobody of it, and NaN if nothing connects them. Without such a set an item that
        won and lost stands at 0 in its place.
    parts : (items,) array
        Numbers of the parts between which there is no comparison at all.
    """

    finite: NDArray[np.bool_]
    infinite: FloatArray
    parts: IntArray


def wins_of_battles(battles: Battles) -> csr_array:
    """Return how often items (rows) beat others (columns); a tie is half a win for both."""
    won, lost, tied = battles.counts.T
    n = len(battles.items)
    rows = np.append(battles.left, battles.right)
    columns = np.append(battles.right, battles.left)
    return csr_array((np.append(won + tied / 2, lost + tied / 2), (rows, columns)), shape=(n, n))


def wins_of_ballots(ballots: Ballots) -> csr_array:
    """Return how often items (rows) are ranked above others (columns); ties are halves."""
    stages, n = ballots.stages, len(ballots.items)
    shape = (len(stages.ranking), n)
    chosen, offered = (
        csr_array((values, stages.item, stages.offsets), shape=shape)
        for values in (stages.chosen.astype(np.float64), np.ones(len(stages.item)))
    )
    weighted = chosen.multiply(ballots.weights.total[stages.ranking][:, None])
    wins = csr_array(weighted.T @ (offered - chosen / 2))
    return csr_array(wins - diags_array(wins.diagonal()))


def connection(wins: csr_array) -> Connection:
    """Find the items whose strengths are finite, and how the others lie to them."""
    wins = csr_array(wins)
    wins.eliminate_zeros()
    n = wins.shape[0]
    labels = connected_components(wins, directed=True, connection="strong")[1]
    finite = labels == np.bincount(labels).argmax()
    if finite.all():
        return Connection(finite, np.zeros(n), np.zeros(n, dtype=np.int64))
    parts = connected_components(wins, directed=False)[1].astype(np.int64)
    infinite = np.full(n, np.nan)
    start = int(finite.argmax())
    if finite.sum() < 2:
        finite = np.zeros(n, dtype=bool)
        won, lost = (np.asarray(wins.sum(axis=axis)) for axis in (1, 0))
        infinite[(won > 0) & (lost == 0)], infinite[(won == 0) & (lost > 0)] = np.inf, -np.inf
        start = int(np.minimum(won, lost).argmax())
        if not min(won[start], lost[start]):
            return Connection(finite, infinite, parts)
    infinite[breadth_first_order(wins, start, return_predecessors=False)] = -np.inf
    infinite[breadth_first_order(csr_array(wins.T), start, return_predecessors=False)] = np.inf
    infinite[finite if finite.any() else start] = 0.0
    return Connection(finite, infinite, parts)
