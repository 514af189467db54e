"""The planning problem of one product, in whole numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from rankwright.improve.decimals import common_unit, weighted_sum
from rankwright.improve.steps import Steps

__all__ = ["Choice", "LimitedFactor", "Problem", "SteppedFactor"]

Bounds = tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True)
class Choice:
    """The changes chosen, by number, with cost and gain in the problem's units."""

    chosen: tuple[int, ...]
    cost: int
    gain: float  # a whole number unless it is a guaranteed gain
    optimal: bool = True


@dataclass(frozen=True)
class LimitedFactor:
    """A factor whose bounds the changes could pass, so that its sum of effects counts.

    ``effects`` (by change), ``low`` and ``high`` are whole numbers of ``unit``; the last two limit
    the sum. ``worth`` is the gain of one unit.
    """

    name: str
    effects: tuple[int, ...]
    low: int
    high: int
    unit: Fraction
    worth: Fraction

    @property
    def least(self) -> int:
        """Return the smallest sum of effects, ignoring the bounds."""
        return sum(effect for effect in self.effects if effect < 0)

    @property
    def most(self) -> int:
        """Return the largest sum of effects, ignoring the bounds."""
        return sum(effect for effect in self.effects if effect > 0)

    def gain(self, total: int) -> Fraction:
        """Return the gain of a sum of effects after clipping."""
        return self.worth * min(max(total, self.low), self.high)


@dataclass(frozen=True)
class SteppedFactor(LimitedFactor):
    """A factor whose value counts in steps, so that its sum of effects counts, not each of them."""

    value: Fraction
    steps: Steps

    def gain(self, total: int) -> Fraction:
        """Return the gain of a sum of effects after clipping."""
        moved = min(max(total, self.low), self.high) * self.unit
        return self.steps(self.value + moved) - self.steps(self.value)

    def sums(self) -> list[tuple[int, int, Fraction]]:
        """Return the first and the last sum within the bounds on each step, and their gain."""
        ends = [(end - self.value) // self.unit for end in self.steps.ends]
        firsts, lasts = [self.low, *(end + 1 for end in ends)], [*ends, self.high]
        here = self.steps(self.value)
        reached = [
            (max(first, self.low), min(last, self.high), value - here)
            for first, last, value in zip(firsts, lasts, self.steps.values, strict=True)
        ]
        return [step for step in reached if step[0] <= step[1]]


@dataclass(frozen=True)
class Problem:
    """What can be done to one product, by numbered changes.

    Parameters
    ----------
    weights, item : mapping
        By factor, the weight and the product's value.
    names, prices : tuple
        By change, its name and its cost.
    effects : tuple of mappings
        By change, its effects on factors.
    conflicts : tuple of tuples of int
        At most one change of each.
    requires : tuple of pairs of int
        The first change needs the second.
    bounds : mapping
        By factor, the lowest and the highest value.
    refuse : bool
        Whether a plan that would pass a bound is refused, rather than the factor clipped.
    steps : mapping
        By factor that counts in steps, what its values add; its weight is zero.
    """

    weights: Mapping[str, Fraction]
    item: Mapping[str, Fraction]
    names: tuple[str, ...]
    prices: tuple[Fraction, ...]
    effects: tuple[Mapping[str, Fraction], ...]
    conflicts: tuple[tuple[int, ...], ...]
    requires: tuple[tuple[int, int], ...]
    bounds: Mapping[str, Bounds]
    refuse: bool
    steps: Mapping[str, Steps] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def score(self) -> Fraction:
        """Return the product's score before any change: v_0(x) of section 9."""
        stepped = sum((steps(self.item[j]) for j, steps in self.steps.items()), Fraction(0))
        return weighted_sum(self.weights, self.item) + stepped

    @cached_property
    def cost_unit(self) -> Fraction:
        """Return the unit of which all costs are whole multiples."""
        return common_unit(self.prices)

    @cached_property
    def costs(self) -> tuple[int, ...]:
        """Return the costs in units."""
        return tuple(int(price / self.cost_unit) for price in self.prices)

    @cached_property
    def gain_unit(self) -> Fraction:
        """Return the unit of which all gains are whole multiples."""
        limits = [f.gain(limit) for f in self.limited for limit in (f.low, f.high)]
        values = [value for steps in self.steps.values() for value in steps.values]
        return common_unit([*self._moves, *limits, *values])

    @cached_property
    def gains(self) -> tuple[int, ...]:
        """Return W_l of section 9 in units, without the factors whose sum has to be watched."""
        watched = {factor.name for factor in self.limited}
        free = [{j: d for j, d in row.items() if j not in watched} for row in self.effects]
        return tuple(int(weighted_sum(self.weights, row) / self.gain_unit) for row in free)

    @cached_property
    def limited(self) -> tuple[LimitedFactor, ...]:
        """Return the factors whose bounds the changes could pass, and those that have steps."""
        names = dict.fromkeys([*self.bounds, *self.steps])
        factors = (self._limited_factor(j, self.bounds.get(j, (None, None))) for j in names)
        return tuple(factor for factor in factors if factor is not None)

    @property
    def fits_int64(self) -> bool:
        """Return whether 64-bit integers can count the cost and the gain of any changes."""
        cost = sum(map(abs, self.prices)) / self.cost_unit
        stepped = sum((steps.spread for steps in self.steps.values()), Fraction(0))
        gain = (sum(map(abs, self._moves)) + stepped) / self.gain_unit
        return max(cost, gain) < 2**62

    def cost_units(self, budget: Fraction) -> int:
        """Return the most units that a budget pays."""
        return budget // self.cost_unit

    def gain_units(self, gain: Fraction, *, strict: bool = False) -> int:
        """Return the fewest units that reach a gain, or with ``strict`` exceed it."""
        return gain // self.gain_unit + 1 if strict else -(-gain // self.gain_unit)

    def total_effects(self, chosen: Iterable[int]) -> dict[str, Fraction]:
        """Return by factor how much the chosen changes move its value, after clipping."""
        counts: dict[str, int] = {}
        for change in chosen:
            for name, count in self._counted_effects[change].items():
                counts[name] = counts.get(name, 0) + count
        totals = {name: count * self._factor_units[name] for name, count in counts.items() if count}
        if self.refuse:
            return totals
        clipped = {name: self._clip(name, total) for name, total in totals.items()}
        return {name: total for name, total in clipped.items() if total}

    def gain(self, chosen: Iterable[int]) -> Fraction:
        """Return v_diff of section 9, exactly."""
        moved = self.total_effects(chosen)
        stepped = (
            self.steps[j](self.item[j] + total) - self.steps[j](self.item[j])
            for j, total in moved.items()
            if j in self.steps
        )
        return weighted_sum(self.weights, moved) + sum(stepped, Fraction(0))

    def choice(self, chosen: Iterable[int]) -> Choice:
        """Return the choice of some changes."""
        numbers = tuple(sorted(chosen))
        cost = sum(self.costs[change] for change in numbers)
        return Choice(numbers, cost, int(self.gain(numbers) / self.gain_unit))

    def flaw(self, chosen: Iterable[int]) -> str | None:
        """Return which condition the chosen changes violate, None when they violate none."""
        made = set(chosen)
        for members in self.conflicts:
            if len(clash := made.intersection(members)) > 1:
                return f"conflicting changes {[self.names[change] for change in sorted(clash)]}"
        for change, needed in self.requires:
            if change in made and needed not in made:
                return f"{self.names[change]!r} without {self.names[needed]!r}"
        for name, total in self.total_effects(made).items():
            if self._clip(name, total) != total:
                return f"{name!r} would be {float(self.item[name] + total)}, out of its bounds"
        return None

    @cached_property
    def _factor_units(self) -> dict[str, Fraction]:
        return {
            j: common_unit(row.get(j, Fraction(0)) for row in self.effects) for j in self.weights
        }

    @cached_property
    def _counted_effects(self) -> list[dict[str, int]]:
        return [{j: int(d / self._factor_units[j]) for j, d in row.items()} for row in self.effects]

    @cached_property
    def _moves(self) -> list[Fraction]:
        return [self.weights[j] * effect for row in self.effects for j, effect in row.items()]

    def _clip(self, name: str, total: Fraction) -> Fraction:
        low, high = self.bounds.get(name, (None, None))
        value = self.item[name] + total
        if low is not None:
            value = max(value, low)
        if high is not None:
            value = min(value, high)
        return value - self.item[name]

    def _limited_factor(self, name: str, bounds: Bounds) -> LimitedFactor | None:
        value = self.item[name]
        moves = [row.get(name, Fraction(0)) for row in self.effects]
        rooms = [bound - value for bound in bounds if bound is not None]
        unit = common_unit([*moves, *rooms])
        effects = tuple(int(move / unit) for move in moves)
        least, most = sum(e for e in effects if e < 0), sum(e for e in effects if e > 0)
        low = least if bounds[0] is None else max(least, int((bounds[0] - value) / unit))
        high = most if bounds[1] is None else min(most, int((bounds[1] - value) / unit))
        if name in self.steps:
            stepped = Fraction(0), value, self.steps[name]
            return SteppedFactor(name, effects, low, high, unit, *stepped) if any(moves) else None
        if (low, high) == (least, most):
            return None
        return LimitedFactor(name, effects, low, high, unit, self.weights[name] * unit)
