"""Every kind of plan beside the enumeration of all subsets of the changes, in fractions."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankwright as rw
from rankwright.improve import Change, Planner
from rankwright.improve.model import Model
from rankwright.improve.stages import Stages

many = settings(max_examples=100, deadline=None)
few = settings(max_examples=40, deadline=None)


COST_UNIT, FACTOR_UNIT, WEIGHT_UNIT = 20, 2, 100  # of the instances drawn below: all are whole


@dataclass(frozen=True)
class Instance:
    weights: dict
    item: dict
    changes: tuple
    conflicts: tuple
    requires: tuple
    bounds: dict
    beyond: str

    @property
    def planner(self):
        conditions = self.conflicts, self.requires, self.bounds
        return Planner(self.weights, self.changes, *conditions, beyond=self.beyond)

    @cached_property
    def plans(self):
        """Return cost and gain by names, of every subset that the conditions allow."""
        n, names = len(self.changes), [change.name for change in self.changes]
        subsets = np.array(list(product([0, 1], repeat=n)))
        feasible = np.ones(len(subsets), dtype=bool)
        for members in self.conflicts:
            feasible &= subsets[:, [names.index(name) for name in members]].sum(axis=1) <= 1
        for change, needed in self.requires:
            feasible &= subsets[:, names.index(change)] <= subsets[:, names.index(needed)]
        gains = np.zeros(len(subsets), dtype=int)
        for factor, value in self.item.items():
            effects = whole([c.effects.get(factor, 0) for c in self.changes], FACTOR_UNIT)
            low, high = self.bounds.get(factor, (-(10**6), 10**6))
            moved = subsets @ effects
            kept = np.clip(moved, (low - value) * FACTOR_UNIT, (high - value) * FACTOR_UNIT)
            feasible &= (kept == moved) | (self.beyond == "clip")
            gains += kept * whole([self.weights[factor]], WEIGHT_UNIT)
        costs = subsets @ whole([change.cost for change in self.changes], COST_UNIT)
        return {
            tuple(name for name, taken in zip(names, subset, strict=True) if taken): (
                Fraction(int(cost), COST_UNIT),
                Fraction(int(gain), FACTOR_UNIT * WEIGHT_UNIT),
            )
            for subset, cost, gain, ok in zip(subsets, costs, gains, feasible, strict=True)
            if ok
        }

    @property
    def frontier(self):
        return efficient(set(self.plans.values()))


def whole(numbers, unit):
    return np.array([round(number * unit) for number in numbers], dtype=int)


def efficient(pairs):
    """Return the pairs of cost and gain that no other pair beats, by rising cost."""
    best, kept = -math.inf, []
    for cost, gain in sorted(pairs, key=lambda pair: (pair[0], -pair[1])):
        if gain > best:
            kept.append((cost, gain))
            best = gain
    return kept


@st.composite
def instances(draw, max_changes=10):
    factors = ["a", "b", "c"][: draw(st.integers(1, 3))]
    halves = st.integers(-4, 4).map(lambda n: n / 2)
    weights = {name: draw(st.sampled_from([-1.3, -0.5, 0.1, 0.25, 1.0, 2.7])) for name in factors}
    item = {name: draw(st.integers(2, 4)) for name in factors}
    names = [f"change {number}" for number in range(draw(st.integers(1, max_changes)))]
    cost = st.integers(-4, 12).map(lambda n: n / 4) | st.sampled_from([0.1, 0.2, 0.3])
    changes = tuple(
        Change(
            name,
            draw(cost),
            draw(st.dictionaries(st.sampled_from(factors), halves, max_size=2)),
        )
        for name in names
    )
    pairs = st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True).map(tuple)
    sets = st.lists(st.sampled_from(names), min_size=2, max_size=4, unique=True).map(tuple)
    several = len(names) > 1
    return Instance(
        weights,
        item,
        changes,
        conflicts=tuple(draw(st.lists(sets, max_size=4))) if several else (),
        requires=tuple(draw(st.lists(pairs, max_size=3))) if several else (),
        bounds={name: (1, 5) for name in factors if draw(st.booleans())},
        beyond=draw(st.sampled_from(["clip", "refuse"])),
    )


def problem_of(instance):
    return instance.planner._situation(instance.item, None).problem


def values(choice, problem):
    return choice.cost * problem.cost_unit, choice.gain * problem.gain_unit


@many
@given(instances())
def test_the_frontier_equals_enumeration(instance):
    plans = instance.planner.frontier(instance.item)
    expected = [(float(cost), float(gain)) for cost, gain in instance.frontier]
    assert [(plan.cost, plan.gain) for plan in plans] == expected
    found = [instance.plans[plan.changes] for plan in plans]
    assert found == instance.frontier


@many
@given(instances(), st.integers(0, 20).map(lambda n: n / 4))
def test_all_best_plans_within_a_budget_equal_enumeration(instance, budget):
    affordable = {names: pair for names, pair in instance.plans.items() if pair[0] <= budget}
    best = max(gain for _, gain in affordable.values())
    optima = {names: cost for names, (cost, gain) in affordable.items() if gain == best}
    plans = instance.planner.best_plans(instance.item, budget)
    assert sorted(plan.changes for plan in plans) == sorted(optima)
    assert plans[0] == instance.planner.maximize_score(instance.item, budget)
    assert plans[0].cost == float(min(optima.values()))


@many
@given(instances(), st.integers(-8, 12).map(lambda n: n / 4))
def test_all_cheapest_plans_for_a_gain_equal_enumeration(instance, gain):
    enough = {names: pair for names, pair in instance.plans.items() if pair[1] >= gain}
    if not enough:
        most = float(max(pair[1] for pair in instance.plans.values()))
        with pytest.raises(ValueError, match=f"no plan gains {gain}; the most is {most:.10g}"):
            instance.planner.minimize_cost(instance.item, gain=gain)
        return
    least = min(cost for cost, _ in enough.values())
    optima = {names: pair[1] for names, pair in enough.items() if pair[0] == least}
    plans = instance.planner.cheapest_plans(instance.item, gain=gain)
    assert sorted(plan.changes for plan in plans) == sorted(optima)
    assert plans[0] == instance.planner.minimize_cost(instance.item, gain=gain)
    assert plans[0].gain == float(max(optima.values()))


@many
@given(instances(), st.lists(st.lists(st.integers(1, 5), min_size=3, max_size=3), max_size=6),
       st.sampled_from([0, 0.5]))  # fmt: skip
def test_the_frontier_over_positions_equals_enumeration(instance, rivals, margin):
    weights = {name: Fraction(str(weight)) for name, weight in instance.weights.items()}
    table = pd.DataFrame(rivals, columns=["a", "b", "c"])[list(weights)]
    scores = [sum(w * int(row[j]) for j, w in weights.items()) for _, row in table.iterrows()]
    before = sum(w * instance.item[j] for j, w in weights.items())

    def unbeaten(gain):
        score = before + gain
        return sum(not (score > s and score >= s + Fraction(margin)) for s in scores)

    expected = efficient({(cost, -unbeaten(gain)) for cost, gain in instance.plans.values()})
    options = {"competitors": table, "margin": margin}
    plans = instance.planner.position_frontier(instance.item, **options)
    found = [instance.plans[plan.changes] for plan in plans]
    assert [(cost, -unbeaten(gain)) for cost, gain in found] == expected
    for cost, beaten in expected:
        plan = instance.planner.minimize_cost(instance.item, position=1 - beaten, **options)
        assert plan.cost == float(cost)
        score = before + instance.plans[plan.changes][1]
        assert plan.position == rw.positions([float(score), *map(float, scores)])[0]


@many
@given(instances(max_changes=8))
def test_all_feasible_plans_are_listed_once(instance):
    plans = list(instance.planner.plans(instance.item))
    assert sorted(plan.changes for plan in plans) == sorted(instance.plans)


@few
@given(instances(max_changes=7))
def test_the_integer_program_finds_the_same_frontier(instance):
    problem = problem_of(instance)
    found = [values(choice, problem) for choice in Model(problem).frontier()]
    assert found == instance.frontier


@few
@given(instances(max_changes=6), st.integers(0, 12), st.integers(-4, 8))
def test_the_integer_program_lists_the_same_plans_within_limits(instance, cost, gain):
    problem = problem_of(instance)
    limits = problem.cost_units(Fraction(cost)), problem.gain_units(Fraction(gain))
    expected = {n for n, (c, g) in instance.plans.items() if c <= cost and g >= gain}
    for solver in (Model(problem), Stages(problem, work=10**7)):
        found = list(solver.all_within(*limits))
        names = [tuple(problem.names[change] for change in choice.chosen) for choice in found]
        assert sorted(names) == sorted(expected)
