"""Plans by additive formulas, whose factors count in steps, beside enumeration in fractions."""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankwright as rw
from rankwright.improve.model import Model

few = settings(max_examples=40, deadline=None)
HALVES = st.integers(-4, 4).map(lambda n: n / 2)


@dataclass(frozen=True)
class Stepped:
    """A formula given by ends and values of the steps of each factor."""

    functions: dict

    @property
    def feature_names_in_(self):
        return np.array(list(self.functions))

    def shape_functions(self):
        return [
            SimpleNamespace(features=(name,), points=([*ends, np.inf],), values=np.array(values))
            for name, (ends, values) in self.functions.items()
        ]

    def score(self, item):
        return sum(
            Fraction(str(values[bisect_left(ends, item[name])]))
            for name, (ends, values) in self.functions.items()
        )


@st.composite
def formulas(draw):
    functions = {}
    for name in ("a", "b"):
        ends = sorted(draw(st.sets(st.integers(-4, 16).map(lambda n: n / 2), max_size=5)))
        levels = st.integers(-9, 9).map(lambda n: n / 10)
        size = len(ends) + 1
        functions[name] = ends, draw(st.lists(levels, min_size=size, max_size=size))
    return Stepped(functions)


@st.composite
def instances(draw):
    names = [f"change {number}" for number in range(draw(st.integers(1, 6)))]
    effects = st.dictionaries(st.sampled_from(["a", "b"]), HALVES, max_size=2)
    changes = [rw.Change(name, draw(st.integers(-2, 9)), draw(effects)) for name in names]
    conflicts = [names[:2]] if len(names) > 1 and draw(st.booleans()) else []
    bounds = {"a": (1, 5)} if draw(st.booleans()) else {}
    beyond = draw(st.sampled_from(["clip", "refuse"]))
    item = {"a": draw(st.integers(2, 4)), "b": draw(st.integers(0, 6))}
    return draw(formulas()), item, changes, conflicts, bounds, beyond


def efficient(formula, item, changes, conflicts, bounds, beyond):
    """The pairs of cost and gain that no other subset of the changes beats, by rising cost."""
    pairs = []
    for taken in product([False, True], repeat=len(changes)):
        made = [change for change, chosen in zip(changes, taken, strict=True) if chosen]
        if any(sum(change.name in clash for change in made) > 1 for clash in conflicts):
            continue
        moved = {j: item[j] + sum(change.effects.get(j, 0) for change in made) for j in item}
        kept = {j: np.clip(v, *bounds.get(j, (-np.inf, np.inf))) for j, v in moved.items()}
        if beyond == "refuse" and kept != moved:
            continue
        cost = sum(change.cost for change in made)
        pairs.append((cost, float(formula.score(kept) - formula.score(item))))
    front, best = [], -np.inf
    for cost, gain in sorted(pairs, key=lambda pair: (pair[0], -pair[1])):
        if gain > best:
            front.append((cost, gain))
            best = gain
    return front


@few
@given(instances())
def test_the_frontier_of_stepped_factors_equals_enumeration(instance):
    formula, item, changes, conflicts, bounds, beyond = instance
    planner = rw.Planner(formula, changes, conflicts, bounds=bounds, beyond=beyond)
    found = [(plan.cost, plan.gain) for plan in planner.frontier(item)]
    assert found == efficient(*instance)


@few
@given(instances())
def test_the_integer_program_of_stepped_factors_finds_the_same_frontier(instance):
    formula, item, changes, conflicts, bounds, beyond = instance
    planner = rw.Planner(formula, changes, conflicts, bounds=bounds, beyond=beyond)
    problem = planner._situation(item, None).problem
    found = [
        (float(choice.cost * problem.cost_unit), float(choice.gain * problem.gain_unit))
        for choice in Model(problem).frontier()
    ]
    assert found == efficient(*instance)


@pytest.fixture(scope="module")
def ranker():
    X = pd.DataFrame(np.random.default_rng(0).uniform(0, 5, (300, 2)), columns=["stars", "price"])
    y = np.minimum(X["stars"], 3) - np.abs(X["price"] - 2)
    return rw.BoostedRanker(30, interactions=0, random_state=0).fit(X, y), X


def test_a_plan_by_an_additive_ranker_gains_what_the_ranker_says(ranker):
    model, X = ranker
    changes = [
        rw.Change("Renovate", 5, {"stars": 1.5, "price": 1}),
        rw.Change("Sale", 1, {"price": -2}),
    ]
    item = pd.Series({"stars": 1.0, "price": 3.5})
    planner = rw.Planner(model, changes)
    plan = planner.maximize_score(item, 10, competitors=X)
    after = item + pd.Series(plan.effects).reindex(item.index, fill_value=0)
    scores = model.predict(pd.DataFrame([item, after]))
    assert plan.gain == pytest.approx(scores[1] - scores[0], abs=1e-6)
    ahead = (model.predict(X) - scores[1]).round(6)
    assert plan.position == 1 + (ahead > 0).sum() + (ahead == 0).sum() / 2


@pytest.mark.parametrize(
    ("options", "message"),
    [({"interactions": None}, "fit with interactions=0"), ({"interactions": 1}, "together")],
)
def test_functions_of_several_factors_are_refused(options, message):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(200, 2)), columns=["a", "b"])
    model = rw.BoostedRanker(5, random_state=0, **options).fit(X, X["a"] * X["b"])
    with pytest.raises(ValueError, match=message):
        rw.Planner(model, [rw.Change("c", 1, {"a": 1})])


def test_categories_are_refused():
    X = pd.DataFrame({"kind": pd.Categorical(list("xyz") * 20), "a": np.arange(60.0)})
    model = rw.BoostedRanker(5, interactions=0, random_state=0).fit(X, np.tile([0, 2, 1], 20))
    with pytest.raises(ValueError, match="'kind' are categories"):
        rw.Planner(model, [rw.Change("c", 1, {"a": 1})])


def test_a_ranker_without_names_of_factors_is_refused():
    X = np.arange(40.0)[:, None]
    with pytest.raises(ValueError, match="no factor names"):
        rw.Planner(rw.BoostedRanker(2, interactions=0).fit(X, X[:, 0]), [rw.Change("c", 1, {})])
