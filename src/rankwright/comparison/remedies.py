"""What each remedy for missing factors leaves, and how well a plain regression then fits."""

from dataclasses import dataclass

from rankwright.data import ItemTable
from rankwright.data.remedies import Remedy
from rankwright.linear import ExpectedRankRegressor

__all__ = ["TriedRemedy", "try_remedies"]

LARGEST = 20_000  # rows up to which regressions are tried


@dataclass(frozen=True)
class TriedRemedy:
    """A remedy, the items and factors that it leaves, and Kendall's tau of a plain regression.

    ``tau`` is None where no regression was tried or possible; ``failure`` says why the remedy
    itself is not possible.
    """

    remedy: Remedy
    items: int = 0
    factors: int = 0
    tau: float | None = None
    failure: str | None = None


def try_remedies(table: ItemTable) -> list[TriedRemedy]:
    """Try every remedy for the gaps of a table."""
    return [_tried(table, remedy) for remedy in Remedy]


def _tried(table: ItemTable, remedy: Remedy) -> TriedRemedy:
    try:
        left = table.complete(remedy)
    except ValueError as error:
        return TriedRemedy(remedy, failure=str(error))
    tau = _tau(left) if len(table) <= LARGEST else None
    return TriedRemedy(remedy, len(left), left.X.shape[1], tau)


def _tau(table: ItemTable) -> float | None:
    """Return how well least squares on expected ranks orders the items that it was fitted to."""
    try:
        ranker = ExpectedRankRegressor().fit(table.X, table.y, groups=table.groups)
        return float(ranker.score(table.X, table.y, groups=table.groups))
    except ValueError:
        return None
