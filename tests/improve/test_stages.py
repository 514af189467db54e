import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from rankwright.improve import Change, Planner
from rankwright.improve.stages import Stages, TooWideError
from rankwright.improve.states import decision_order

ITEM = {"stars": 0}


def arrays(n, n_conflicts, seed=0):
    rng = np.random.default_rng(seed)
    members = np.zeros((n_conflicts, n), dtype=int)
    for row in members:
        row[rng.choice(n, rng.integers(2, 5), replace=False)] = 1
    return rng.integers(1, 20, n), rng.integers(-100, 1000, n), members


def planner_of(costs, gains, members):
    changes = [
        Change(f"{number}", int(cost), {"stars": int(gain)})
        for number, (cost, gain) in enumerate(zip(costs, gains, strict=True))
    ]
    conflicts = [[f"{number}" for number in np.flatnonzero(row)] for row in members]
    return Planner({"stars": 1}, changes, conflicts)


def best_gain(costs, gains, members, budget):
    """Return the best gain by SciPy's integer programs."""
    limits = [LinearConstraint(members, ub=1), LinearConstraint(costs, ub=budget)]
    found = milp(-gains, constraints=limits, bounds=Bounds(0, 1), integrality=np.ones(len(costs)))
    return round(-found.fun)


def test_the_frontier_of_60_changes_with_30_conflict_sets_agrees_with_integer_programs():
    problem = arrays(60, 30)
    plans = planner_of(*problem).frontier(ITEM)
    costs, gains = [plan.cost for plan in plans], [plan.gain for plan in plans]
    assert costs == sorted(set(costs))
    assert gains == sorted(set(gains))
    for budget in (10, 50, 100, 200, 400):
        within = np.searchsorted(costs, budget, side="right") - 1
        assert gains[within] == best_gain(*problem, budget)


def test_a_plan_among_300_changes_agrees_with_an_integer_program():
    problem = arrays(300, 150)
    plan = planner_of(*problem).maximize_score(ITEM, 300)
    assert plan.optimal
    assert plan.gain == best_gain(*problem, 300)
    assert plan.cost <= 300


def test_too_much_work_is_refused():
    problem = planner_of(*arrays(60, 30))._situation(ITEM, None).problem
    with pytest.raises(TooWideError):
        Stages(problem, work=10_000)


def test_every_change_is_decided_once_and_conflicting_ones_soon_after_each_other():
    problem = planner_of(*arrays(40, 0))._situation(ITEM, None).problem
    assert decision_order(problem) == list(range(40))
    chain = np.zeros((3, 40), dtype=int)
    chain[[0, 0, 1, 1, 2, 2], [0, 39, 39, 20, 20, 5]] = 1
    chained = planner_of(*arrays(40, 0)[:2], chain)._situation(ITEM, None).problem
    order = decision_order(chained)
    assert sorted(order) == list(range(40))
    places = [order.index(change) for change in (0, 39, 20, 5)]
    assert max(places) - min(places) == 3
