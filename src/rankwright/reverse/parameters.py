"""The rules of the parameters of a rating formula."""

import math
from collections.abc import Mapping
from typing import Any

from rankwright.base.parameters import (
    NONE,
    SEED,
    THREADS,
    VERBOSITY,
    WEIGHTS_BY_NAME,
    Rule,
    number,
    one_of,
    whole_number,
)
from rankwright.reverse.problem.reading import MISSING, OBJECTIVES
from rankwright.reverse.search.directions import SIGNS_OF_ALL
from rankwright.reverse.solve import SOLVERS
from rankwright.reverse.task import SELECTIONS

__all__ = ["RULES"]


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_infinite(value: Any) -> bool:
    return isinstance(value, float) and value == math.inf


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, type)


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


RULES = {
    "objective": one_of(OBJECTIVES),
    "top": whole_number(1) | Rule("map groups to such numbers", _is_mapping),
    "emphasis": number(least=0),
    "category_weights": WEIGHTS_BY_NAME,
    "signs": one_of(SIGNS_OF_ALL) | Rule("map factors to '+', '-' or 'free'", _is_mapping),
    "constraints": Rule("give a list of texts such as 'income <= 5%'", _is_list_of_texts),
    "value_functions": one_of(("linear", "piecewise"))
    | Rule("map factors to knots or 'levels'", _is_mapping),
    "selection": one_of(SELECTIONS) | number(least=0, most=1),
    "solver": one_of(SOLVERS),
    "time_limit": number(above=0) | Rule("infinity", _is_infinite),
    "gap": number(least=0),
    "missing": one_of(MISSING),
    "score_step": number(above=0) | NONE,
    "random_state": SEED,
    "n_jobs": THREADS,
    "verbose": VERBOSITY,
    "callback": Rule("give a function", _is_function) | NONE,
}
