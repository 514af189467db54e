"""Plans and frontiers beside integer programs in SciPy, which has HiGHS too."""

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from benchmarks.case import Case, Task
from rankwright.improve import Change, Planner


def _instance(n: int):
    """Return a planner with a conflict set for every two changes, and the same as arrays."""
    rng = np.random.default_rng(n)
    costs, gains = rng.integers(1, 20, n), np.round(rng.uniform(-1, 10, n), 3)
    members = [rng.choice(n, rng.integers(2, 5), replace=False) for _ in range(n // 2)]
    planner = Planner(
        {"stars": 1},
        [Change(f"{number}", int(costs[number]), {"stars": gains[number]}) for number in range(n)],
        [[f"{number}" for number in numbers] for numbers in members],
    )
    conflicts = np.zeros((len(members), n))
    for row, numbers in enumerate(members):
        conflicts[row, numbers] = 1
    return planner, costs, gains, conflicts


def _best_within(costs, gains, conflicts, budget):
    found = milp(
        -gains,
        constraints=[
            LinearConstraint(conflicts, ub=1),
            LinearConstraint(costs, ub=budget),
        ],
        bounds=Bounds(0, 1),
        integrality=np.ones(len(costs)),
        options={"mip_rel_gap": 0},
    )
    return round(costs @ found.x.round()), round(gains @ found.x.round(), 3)


def _epsilon_constraint(costs, gains, conflicts):
    """Return the frontier, one integer program for each point and each tie."""
    points, budget = {}, costs.sum()
    while budget >= 0:
        cost, gain = _best_within(costs, gains, conflicts, budget)
        points[gain] = cost  # a later plan of the same gain costs less
        budget = cost - 1
    return sorted((cost, gain) for gain, cost in points.items())


def plan(n: int) -> Task:
    planner, *arrays = _instance(n)
    budget = int(arrays[0].sum()) // 10
    return Task(
        ours=lambda: planner.maximize_score({"stars": 0}, budget).gain,
        peers={"scipy.optimize.milp": lambda: _best_within(*arrays, budget)[1]},
        agree=lambda _, ours, theirs: np.testing.assert_allclose(ours, theirs, rtol=1e-9),
        measures={"gain": float},
    )


def frontier(n: int) -> Task:
    planner, *arrays = _instance(n)
    return Task(
        ours=lambda: [(plan.cost, plan.gain) for plan in planner.frontier({"stars": 0})],
        peers={"scipy.optimize.milp, epsilon-constraint": lambda: _epsilon_constraint(*arrays)},
        agree=lambda _, ours, theirs: np.testing.assert_allclose(ours, theirs, atol=1e-9),
        measures={"points": len},
    )


CASES = [
    Case("plan", "The best plan within a budget: changes", (20, 60, 300), (20,), plan),
    Case("frontier", "All efficient plans: changes", (20, 40, 60), (20,), frontier, repeats=3),
]
