"""What the parameters of a ranker may be: a rule for each, which ``fit`` checks before all else."""

import math
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

__all__ = [
    "COUNT_OR_SHARE",
    "ESTIMATOR",
    "FLAG",
    "NONE",
    "Rule",
    "SEED",
    "THREADS",
    "VERBOSITY",
    "WEIGHTS_BY_NAME",
    "check_parameters",
    "number",
    "one_of",
    "share_of",
    "whole_number",
]

LARGEST = 2**63 - 1  # of the whole numbers that kernels take
LARGEST_FLOAT = int(sys.float_info.max)  # beyond it, whole numbers are no floats
MOST_THREADS = 10**6  # that joblib takes


@dataclass(frozen=True)
class Rule:
    """Which values a parameter takes, and what to give instead of another.

    Examples
    --------
    >>> from rankwright.base.parameters import NONE, whole_number
    >>> rule = whole_number(1) | NONE
    >>> rule.accepts(None), rule.accepts(2), rule.accepts(2.5)
    (True, True, False)
    >>> rule.remedy
    'give a whole number of at least 1, or None'
    """

    remedy: str
    accepts: Callable[[Any], bool]

    def __or__(self, other: "Rule") -> "Rule":
        return Rule(
            f"{self.remedy}, or {other.remedy}",
            lambda value: self.accepts(value) or other.accepts(value),
        )


def check_parameters(owner: Any, rules: Mapping[str, Rule]) -> None:
    """Raise an error that names the first parameter of another kind, its value and the remedy."""
    for name, rule in rules.items():
        value = getattr(owner, name)
        if not rule.accepts(value):
            raise ValueError(f"{name}={_shown(value)}; {rule.remedy}")


def one_of(choices: Collection[str]) -> Rule:
    """Take one of a few words."""
    return Rule(
        f"choose from {sorted(choices)}" if len(choices) > 1 else f"give {next(iter(choices))!r}",
        lambda value: isinstance(value, str) and value in choices,
    )


def whole_number(low: int, high: int | None = None) -> Rule:
    """Take whole numbers from ``low`` on, up to ``high`` if there is one."""
    return Rule(
        f"give a whole number {f'of at least {low}' if high is None else f'from {low} to {high}'}",
        lambda value: _is(Integral, value) and low <= value <= (LARGEST if high is None else high),
    )


def number(
    *, above: float | None = None, least: float | None = None, most: float = math.inf
) -> Rule:
    """Take numbers above one, or from one on, and up to ``most``: infinity only if it is that."""
    words = f"above {above}" if least is None else f"of at least {least}"
    low = -math.inf if above is None else above
    return Rule(
        f"give a number {words}" + ("" if math.isinf(most) else f" and at most {most}"),
        lambda value: (
            _is(Real, value)
            and (low < value if least is None else least <= value)
            and (value <= most if most < math.inf else value < most)
            and not (isinstance(value, Integral) and abs(int(value)) > LARGEST_FLOAT)
        ),
    )


def share_of(asked: float, total: int) -> int:
    """Return how many a whole number asks for, or a share of them: one at least."""
    return int(asked) if isinstance(asked, Integral) else max(1, int(asked * total))


def _shown(value: Any) -> str:
    """Return a value as Python writes it, but a number of too many digits by its size."""
    if not _is(Integral, value) or abs(value) <= LARGEST:
        return repr(value)
    return f"{'-' if value < 0 else ''}2**{int(abs(value)).bit_length() - 1} or more, too large"


def _is(kind: type, value: Any) -> bool:
    """Return whether a value is a number of a kind; truth values are no numbers."""
    return isinstance(value, kind) and not isinstance(value, bool | np.bool_)


FLAG = Rule("give True or False", lambda value: isinstance(value, bool | np.bool_))
NONE = Rule("None", lambda value: value is None)
COUNT_OR_SHARE = Rule(
    "give a whole number of at least 1, or a share above 0 and at most 1",
    lambda value: _is(Real, value) and 0 < value <= (LARGEST if isinstance(value, Integral) else 1),
)
ESTIMATOR = Rule(
    "give an estimator, not its class",
    lambda value: hasattr(value, "fit") and not isinstance(value, type),
)
SEED = (
    whole_number(0, 2**32 - 1)
    | Rule("a RandomState", lambda value: isinstance(value, np.random.RandomState))
    | NONE
)
THREADS = (
    Rule(
        f"give a whole number other than 0, up to {MOST_THREADS:,}",
        lambda value: _is(Integral, value) and 0 < abs(value) <= MOST_THREADS,
    )
    | NONE
)
VERBOSITY = whole_number(0) | Rule("True or False", FLAG.accepts)
WEIGHTS_BY_NAME = (
    Rule(
        "map names to weights of at least 0",
        lambda value: (
            isinstance(value, Mapping)
            and all(_is(Real, weight) and 0 <= weight < math.inf for weight in value.values())
        ),
    )
    | NONE
)
