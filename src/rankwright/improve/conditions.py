"""What can be changed and under which conditions: checked, exact, and by number."""

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rankwright.improve.change import Change
from rankwright.improve.decimals import exact
from rankwright.improve.formula import Scoring
from rankwright.improve.problem import Bounds, Problem

__all__ = ["check_within", "read_problem"]

BEYOND = ("clip", "refuse")


def read_problem(
    scoring: Scoring,
    changes: Iterable[Any],
    conflicts: Iterable[Iterable[str]],
    requires: Iterable[Iterable[str]],
    bounds: Mapping[str, Sequence[Any]] | None,
    beyond: str,
) -> Problem:
    """Read the problem of a planner, in which the product is still missing."""
    if beyond not in BEYOND:
        raise ValueError(f"beyond={beyond!r}; choose from {list(BEYOND)}")
    checked = _check_changes(changes, scoring.weights)
    numbers = {change.name: number for number, change in enumerate(checked)}
    return Problem(
        weights=scoring.weights,
        item={},
        names=tuple(numbers),
        prices=tuple(exact(change.cost, "a cost") for change in checked),
        effects=tuple(
            {name: exact(effect, "an effect") for name, effect in change.effects.items()}
            for change in checked
        ),
        conflicts=_number_conflicts(conflicts, numbers),
        requires=_number_requires(requires, numbers),
        bounds=_check_bounds(bounds, scoring.weights),
        refuse=beyond == "refuse",
        steps=scoring.steps,
    )


def _check_changes(changes: Iterable[Any], factors: Iterable[str]) -> tuple[Change, ...]:
    """Return the changes, whose names are unique and whose factors are known."""
    checked, names, known = tuple(changes), set[str](), list(factors)
    if not checked:
        raise ValueError("changes is empty; give at least one")
    for change in checked:
        if not isinstance(change, Change):
            raise ValueError(f"changes holds {change!r}; give Change objects or a table")
        if change.name in names:
            raise ValueError(f"two changes are named {change.name!r}; names must be unique")
        names.add(change.name)
        if unknown := [factor for factor in change.effects if factor not in known]:
            raise ValueError(
                f"{change.name!r} changes {unknown}, which the formula does not know; "
                f"its factors are {known}"
            )
    return checked


def _number_conflicts(
    conflicts: Iterable[Iterable[str]], numbers: Mapping[str, int]
) -> tuple[tuple[int, ...], ...]:
    """Return the sets of conflicting changes by number."""
    return tuple(_number(members, numbers, "conflict") for members in conflicts)


def _number_requires(
    requires: Iterable[Iterable[str]], numbers: Mapping[str, int]
) -> tuple[tuple[int, int], ...]:
    """Return the pairs of a change and the one it needs by number."""
    pairs = []
    for pair in requires:
        members = _number(pair, numbers, "prerequisite")
        if len(members) != 2:
            raise ValueError(f"the prerequisite {pair!r}; give pairs (change, what it needs)")
        pairs.append((members[0], members[1]))
    return tuple(pairs)


def _check_bounds(
    bounds: Mapping[str, Sequence[Any]] | None, factors: Iterable[str]
) -> dict[str, Bounds]:
    """Return the lowest and the highest value of bounded factors, None where there is none."""
    checked: dict[str, Bounds] = {}
    known = list(factors)
    for factor, limits in (bounds or {}).items():
        if factor not in known:
            raise ValueError(f"bounds names {factor!r}; the formula's factors are {known}")
        if not isinstance(limits, Sequence) or len(limits) != 2:
            raise ValueError(f"bounds of {factor!r} are {limits!r}; give (lowest, highest)")
        low, high = (_bound(limit, factor) for limit in limits)
        if low is not None and high is not None and low > high:
            raise ValueError(f"bounds of {factor!r} are {limits!r}; the lowest comes first")
        checked[factor] = low, high
    return checked


def check_within(values: Mapping[str, Fraction], bounds: Mapping[str, Bounds]) -> None:
    """Raise when a product is outside the bounds before any change."""
    for name, (low, high) in bounds.items():
        value = values[name]
        if (low is not None and value < low) or (high is not None and value > high):
            raise ValueError(
                f"{name!r} of the item is {float(value)}, outside its bounds; correct one of them"
            )


def _bound(limit: Any, factor: str) -> Fraction | None:
    if limit is None or (isinstance(limit, float) and math.isinf(limit)):
        return None
    return exact(limit, f"a bound of {factor!r}")


def _number(names: Iterable[str], numbers: Mapping[str, int], what: str) -> tuple[int, ...]:
    members = (names,) if isinstance(names, str) else tuple(names)
    if unknown := [name for name in members if name not in numbers]:
        raise ValueError(
            f"the {what} {members} names {unknown}, but no change has that name; "
            f"the changes are {list(numbers)}"
        )
    if len(set(members)) < max(2, len(members)):
        raise ValueError(f"the {what} {members}; give two or more different changes")
    return tuple(numbers[name] for name in members)
