"""What each plot takes out of the package's results; plain values are drawn as they are."""

from collections.abc import Callable, Mapping
from dataclasses import astuple
from typing import Any

import numpy as np

from rankwright.aggregation import Consensus
from rankwright.comparison import Comparison
from rankwright.leaderboards import Leaderboard
from rankwright.metrics import GroupValues, RocCurve
from rankwright.reverse import Investigation, RatingFormula
from rankwright.reverse.progress import State
from rankwright.trees.bipartite.out_of_bag import OutOfBag
from rankwright.trees.boosted.booster import Booster

__all__ = [
    "CURVE",
    "CURVES",
    "GROUPS",
    "HISTORY",
    "LISTS",
    "MEANS",
    "MOMENT",
    "PLACES",
    "SHARES",
    "TERMS",
    "drawn_from",
]

Converters = Mapping[type, Callable[[Any], Any]]


def drawn_from(result: Any, converters: Converters) -> Any:
    """Return what is to be drawn of a result of one of these types, and plain values as given."""
    found = (convert for kind, convert in converters.items() if isinstance(result, kind))
    convert = next(found, None)
    return result if convert is None else convert(result)


def _means(comparison: Comparison) -> dict[str, tuple[float, float]]:
    measured = (result for result in comparison.results if not np.isnan(result.mean))
    return {result.name: (result.mean, result.standard_error) for result in measured}


def _lists(comparison: Comparison) -> dict[str, dict[str, float]]:
    return {
        result.name: dict(zip(comparison.lists, result.values.tolist(), strict=True))
        for result in comparison.results
        if not np.isnan(result.mean)
    }


def _groups(found: GroupValues) -> dict[str, float]:
    return dict(zip(map(str, found.labels), found.values.tolist(), strict=True))


def _shares(formula: RatingFormula) -> dict[str, float]:
    shares = np.sign(formula.weights_) * np.abs(formula.shares_) / 100
    return dict(zip(formula.rating_.factor_names, shares.tolist(), strict=True))


MEANS: Converters = {Comparison: _means}
LISTS: Converters = {Comparison: _lists, GroupValues: lambda found: {"all": found}}
GROUPS: Converters = {GroupValues: _groups}
HISTORY: Converters = {
    RatingFormula: lambda formula: formula.history_,
    Investigation: lambda found: found.formula.history_,
}
MOMENT: Converters = {State: astuple}
SHARES: Converters = {RatingFormula: _shares, Investigation: lambda found: _shares(found.formula)}
CURVES: Converters = {
    RocCurve: lambda curve: {"ranker": curve},
    OutOfBag: lambda found: {"out of bag": found},
}
CURVE: Converters = {OutOfBag: OutOfBag.roc_curve}
TERMS: Converters = {Booster: Booster.shape_functions}
PLACES: Converters = {
    Consensus: lambda consensus: consensus.positions,
    Leaderboard: lambda board: board.ranks,
}
