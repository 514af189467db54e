"""Robust plans beside the enumeration of all plans and of all weights that could be worst."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.improve import Change, Planner

NAMES = np.array(["a", "b"])


@dataclass
class Segment:
    """A formula of two factors whose weights sum to one, the first one between two limits."""

    low: float
    high: float
    feature_names_in_ = NAMES

    @property
    def weights_(self):
        middle = (self.low + self.high) / 2
        return np.array([middle, 1 - middle])

    def weight_polytope(self, slack=0.0):
        low, high = self.low - slack, self.high + slack
        matrix = np.array([[1, 0], [-1, 0], [1, 1], [-1, -1]])
        return matrix, np.array([high, -low, 1, -1])

    def worst_gain(self, moves):
        return min(share * moves[0] + (1 - share) * moves[1] for share in (self.low, self.high))

    def worst_position(self, leads, margin):
        """Count who can be unbeaten at once: at an end, or where some lead equals the margin."""
        slopes, starts = leads[:, 0] - leads[:, 1], leads[:, 1] - margin
        crossings = -starts[slopes != 0] / slopes[slopes != 0]
        inside = crossings[(crossings > self.low) & (crossings < self.high)]
        shares = np.r_[self.low, self.high, inside]
        unbeaten = starts[:, None] + slopes[:, None] * shares <= 1e-9
        return 1 + int(unbeaten.sum(axis=0).max(initial=0))


halves = st.integers(-4, 6).map(lambda n: n / 2)
pairs_of_values = st.tuples(halves, halves)
formulas = st.tuples(st.integers(0, 10), st.integers(0, 10)).map(
    lambda ends: Segment(min(ends) / 10, max(ends) / 10)
)
tables = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=6)
ITEM = {"a": 3, "b": 2}


@st.composite
def change_lists(draw):
    effects = draw(st.lists(pairs_of_values, min_size=1, max_size=5))
    return [
        Change(f"change {number}", draw(st.integers(-2, 8)) / 2, {"a": pair[0], "b": pair[1]})
        for number, pair in enumerate(effects)
    ]


def subsets(changes, bounds=None):
    """Return cost and moves of every subset, clipped."""
    for taken in product([False, True], repeat=len(changes)):
        made = [change for change, yes in zip(changes, taken, strict=True) if yes]
        moves = np.array([sum(change.effects[name] for change in made) for name in NAMES])
        if bounds is not None:
            values = np.array([ITEM[name] for name in NAMES])
            moves = np.clip(values + moves, *bounds) - values
        yield sum(change.cost for change in made), moves


def efficient(pairs):
    best, kept = -np.inf, []
    for cost, value in sorted(pairs, key=lambda pair: (pair[0], -pair[1])):
        if value > best + 1e-9:
            kept.append((cost, value))
            best = value
    return kept


@settings(max_examples=40, deadline=None)
@given(formulas, change_lists(), st.booleans())
def test_the_robust_frontier_equals_enumeration(formula, changes, bounded):
    bounds = {"a": (1, 5), "b": (1, 5)} if bounded else None
    planner = Planner(formula, changes, bounds=bounds)
    plans = planner.frontier(ITEM, robust=True)
    all_plans = subsets(changes, (1, 5) if bounded else None)
    expected = efficient((cost, formula.worst_gain(moves)) for cost, moves in all_plans)
    found = [(plan.cost, plan.guaranteed_gain) for plan in plans]
    np.testing.assert_allclose(found, expected, atol=1e-7)
    assert all(plan.guaranteed_gain <= plan.gain + 1e-9 for plan in plans)


@settings(max_examples=25, deadline=None)
@given(formulas, change_lists(), tables, st.sampled_from([0, 0.25]))
def test_the_robust_frontier_over_positions_equals_enumeration(formula, changes, rivals, margin):
    planner = Planner(formula, changes)
    table = pd.DataFrame(rivals, columns=NAMES)
    plans = planner.position_frontier(ITEM, table, margin=margin, robust=True)
    item = np.array([ITEM[name] for name in NAMES])
    expected = efficient(
        (cost, -formula.worst_position(item + moves - table.to_numpy(), margin))
        for cost, moves in subsets(changes)
    )
    assert [(plan.cost, -plan.guaranteed_position) for plan in plans] == expected
    for cost, position in expected:
        goal = {"position": -position, "competitors": table, "margin": margin}
        plan = planner.minimize_cost(ITEM, robust=True, **goal)
        assert plan.cost == cost
        assert plan.guaranteed_position <= -position


@settings(max_examples=30, deadline=None)
@given(formulas, change_lists(), st.integers(0, 8).map(lambda n: n / 4))
def test_all_robust_optima_equal_enumeration(formula, changes, gain):
    planner = Planner(formula, changes)
    enough = [cost for cost, moves in subsets(changes) if formula.worst_gain(moves) > gain - 1e-9]
    if not enough:
        with pytest.raises(ValueError, match=f"no plan gains {gain}; the most is"):
            planner.minimize_cost(ITEM, gain=gain, robust=True)
        return
    plans = planner.cheapest_plans(ITEM, gain=gain, robust=True)
    assert len({plan.changes for plan in plans}) == len(plans) == enough.count(min(enough))


def test_a_formula_without_doubt_gives_the_nominal_frontier():
    changes = [
        Change("one", 1, {"a": 1}),
        Change("two", 1.5, {"b": 2}),
        Change("off", -1, {"a": -1}),
    ]
    planner = Planner(Segment(0.4, 0.4), changes)
    nominal, robust = planner.frontier(ITEM), planner.frontier(ITEM, robust=True)
    assert [plan.changes for plan in nominal] == [plan.changes for plan in robust]
    for plan in robust:
        assert plan.guaranteed_gain == pytest.approx(plan.gain)


def test_certainty_has_a_price():
    changes = [Change("cheap", 1, {"a": 2, "b": -1}), Change("solid", 3, {"a": 1, "b": 1})]
    planner = Planner(Segment(0.2, 0.8), changes)
    nominal = planner.minimize_cost(ITEM, gain=0.5)
    robust = planner.minimize_cost(ITEM, gain=0.5, robust=True)
    assert (nominal.changes, robust.changes) == (("cheap",), ("solid",))
    assert (nominal.cost, robust.cost) == (1, 3)
    assert nominal.guaranteed_gain is None
    assert robust.guaranteed_gain == pytest.approx(1)


def test_slack_widens_the_possible_formulas():
    changes = [Change("one", 1, {"a": 1, "b": -1})]
    gains = [
        Planner(Segment(0.6, 0.7), changes, slack=slack)
        .maximize_score(ITEM, budget=1, robust=True)
        .guaranteed_gain
        for slack in (0, 0.05)
    ]
    np.testing.assert_allclose(gains, [0.2, 0.1])


def test_an_unreachable_robust_position_says_the_best():
    planner = Planner(Segment(0.2, 0.8), [Change("one", 2, {"a": 1})])
    rivals = pd.DataFrame({"a": [5, 5, 1], "b": [5, 4, 1]})
    with pytest.raises(
        ValueError, match="no plan reaches position 1; the best is position 3, at a"
    ):
        planner.minimize_cost(ITEM, position=1, competitors=rivals, robust=True)


def test_without_competitors_in_the_table_a_robust_plan_is_first():
    planner = Planner(Segment(0.2, 0.8), [Change("one", 2, {"a": 1})])
    (plan,) = planner.position_frontier(ITEM, pd.DataFrame(columns=NAMES), robust=True)
    assert (plan.changes, plan.guaranteed_position) == ((), 1)


def test_plain_weights_can_not_be_robust():
    planner = Planner({"a": 1, "b": 2}, [Change("one", 1, {"a": 1})])
    with pytest.raises(ValueError, match="robust=True needs a formula with weight_polytope"):
        planner.frontier(ITEM, robust=True)


def test_weights_outside_their_own_ranges_are_an_error():
    formula = Segment(0.2, 0.4)
    formula.weight_polytope = lambda slack: Segment(0.5, 0.6).weight_polytope()
    planner = Planner(formula, [Change("one", 1, {"a": 1})])
    with pytest.raises(ValueError, match=r"own weights miss its weight_polytope\(0.0\) by 0.2"):
        planner.frontier(ITEM, robust=True)


def test_an_unbounded_polytope_is_an_error():
    formula = Segment(0.2, 0.4)
    formula.weight_polytope = lambda slack: ([[-1, 0], [0, -1]], [0, 0])
    planner = Planner(formula, [Change("one", 1, {"a": -1})])
    with pytest.raises(ValueError, match="has to be bounded"):
        planner.minimize_cost(ITEM, gain=-1, robust=True)
