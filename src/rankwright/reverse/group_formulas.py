"""One formula for each group, beside one for all of them."""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from rankwright.data import ItemTable
from rankwright.reverse.clock import Clock
from rankwright.reverse.formula import RatingFormula
from rankwright.reverse.questions import agreement
from rankwright.reverse.questions.weight_units import in_percent, shown_sizes

__all__ = ["group_formulas"]


def group_formulas(table: ItemTable, formula: RatingFormula, clock: Clock) -> pd.DataFrame:
    """Fit a formula to each group alone, in an equal part of the time.

    Returns
    -------
    DataFrame
        By group: ``products``, the published ``pairs``, those ``lost_own`` by the group's formula
        and ``lost_shared`` by the given one, the ``status`` of its proof, and the weight of each
        factor, or piece of one, in percent, in the unit that the investigation shows.
    """
    assert table.groups is not None
    labels = list(dict.fromkeys(table.groups.tolist()))
    names, functions = formula.rating_.factor_names, formula.value_functions_
    sizes = dict(zip(names, shown_sizes(formula.rating_).tolist(), strict=True))
    # Pieces with the same knots for all groups, whoever chose them.
    alike = {} if functions is None else {"value_functions": functions.as_given([*table.X.columns])}

    def fit_one(label: Any) -> dict[Any, Any]:
        rows = table.groups == label
        X, y = table.X[rows], table.y[rows]
        seconds = max(clock.left / (len(labels) - labels.index(label)), 0.05)
        own = clone(formula).set_params(time_limit=seconds, callback=None, verbose=False, **alike)
        shared = agreement(y, formula.predict(X))
        record = {"group": label, "products": len(y), "pairs": shared.pairs}
        try:
            own.fit(X, y)
        except ValueError as error:  # no order, or factors that never differ
            return record | {"lost_shared": shared.lost, "status": str(error)}
        terms = own.rating_.factor_names
        percent = in_percent(own.weights_, np.array([sizes[name] for name in terms]))
        return record | {
            "lost_own": agreement(y, own.predict(X)).lost,
            "lost_shared": shared.lost,
            "status": str(own.status_),
            **dict(zip(terms, percent.tolist(), strict=True)),
        }

    found = clock.answer_each(labels, fit_one, "groups")
    columns = ["group", "products", "pairs", "lost_own", "lost_shared", "status"]
    return pd.DataFrame(found, columns=[*columns, *names]).set_index("group")
