import math
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rankwright.improve import Change, Planner
from rankwright.improve import situation as situations

WEIGHTS = {"stars": 2.0, "price": -0.1}
ITEM = {"stars": 3, "price": 10}
POLISH = Change("polish", 3, {"stars": 0.5})
REDESIGN = Change("redesign", 20, {"stars": 1.5, "price": 5})
RIVALS = pd.DataFrame({"stars": [4.5, 4, 3.5], "price": [10, 10, 10]}, index=["x", "y", "z"])


@pytest.fixture
def planner():
    return Planner(WEIGHTS, [POLISH, REDESIGN])


def test_a_plan_reports_what_it_does(planner):
    plan = planner.maximize_score(ITEM, 30, competitors=RIVALS)
    assert plan.changes == ("polish", "redesign")
    assert (plan.cost, plan.gain, plan.score) == (23, 3.5, 8.5)
    assert plan.effects == {"stars": 2, "price": 5}
    assert plan.position == 1
    assert plan.optimal
    assert (plan.guaranteed_gain, plan.guaranteed_position) == (None, None)


def test_without_competitors_there_is_no_position(planner):
    assert planner.maximize_score(ITEM, 30).position is None


def test_decimals_are_taken_as_written():
    dimes = [Change(f"dime {number}", 0.1, {"stars": 0.1}) for number in range(3)]
    planner = Planner({"stars": 1}, dimes)
    plan = planner.maximize_score({"stars": 0}, budget=0.3)  # 0.1 + 0.1 + 0.1 > 0.3 in floats
    assert (len(plan.changes), plan.cost, plan.gain) == (3, 0.3, 0.3)
    assert planner.minimize_cost({"stars": 0}, gain=0.3).cost == 0.3


def test_numbers_of_any_kind_agree():
    plans = [
        Planner({"stars": kind("0.7")}, [Change("polish", kind("0.3"), {"stars": kind("0.1")})])
        .maximize_score({"stars": kind("2.5")}, kind("0.3"))
        for kind in (float, Decimal, np.float64)
    ]  # fmt: skip
    assert plans[0] == plans[1] == plans[2]


def test_more_digits_than_64_bits_count_stay_exact():
    third = Decimal(1) / 3
    changes = [
        Change("a", third, {"stars": third}),
        Change("b", third + Decimal("1e-28"), {"stars": third}),
    ]
    planner = Planner({"stars": math.pi}, changes)
    assert [plan.changes for plan in planner.frontier({"stars": 0})] == [(), ("a",), ("a", "b")]


def test_a_budget_can_be_infinite(planner):
    assert planner.maximize_score(ITEM, math.inf).cost == 23


def test_without_a_better_plan_nothing_is_changed(planner):
    assert planner.maximize_score(ITEM, 2).changes == ()
    assert planner.minimize_cost(ITEM, gain=0).changes == ()


def test_savings_are_plans_too():
    planner = Planner(WEIGHTS, [POLISH, Change("plain box", -1, {"stars": -0.25})])
    costs = [(plan.cost, plan.changes) for plan in planner.frontier(ITEM)]
    assert costs == [
        (-1, ("plain box",)), (0, ()), (2, ("polish", "plain box")), (3, ("polish",)),
    ]  # fmt: skip
    assert planner.minimize_cost(ITEM, gain=-1).changes == ("plain box",)


def test_a_useless_change_is_left_out():
    planner = Planner(WEIGHTS, [Change("new colour", 0, {}), POLISH])
    assert planner.maximize_score(ITEM, 5).changes == ("polish",)
    assert len(planner.best_plans(ITEM, 5)) == 2


def test_changes_that_need_each_other_come_together():
    pair = [Change("lens", 3, {"stars": 1}), Change("mount", 2, {"price": 1})]
    planner = Planner(WEIGHTS, pair, requires=[("lens", "mount"), ("mount", "lens")])
    assert [plan.changes for plan in planner.plans(ITEM)] == [(), ("lens", "mount")]


def test_a_chain_of_prerequisites_counts(planner):
    changes = [
        Change(name, 1, {"stars": stars}) for name, stars in zip("abc", (3, 0, 0), strict=True)
    ]
    planner = Planner(WEIGHTS, changes, requires=[("a", "b"), ("b", "c")])
    assert planner.minimize_cost(ITEM, gain=1).changes == ("a", "b", "c")


def test_a_position_is_won_only_by_beating_its_holder():
    planner = Planner(WEIGHTS, [POLISH, Change("gild", 9, {"stars": 0.51})])
    options = {"position": 3, "competitors": RIVALS}  # z, who has 3.5 stars, holds it
    assert planner.minimize_cost(ITEM, **options).changes == ("gild",)
    with pytest.raises(
        ValueError, match="no plan reaches position 1; the best is position 2, at a cost of 12"
    ):
        planner.minimize_cost(ITEM, position=1, competitors=RIVALS)


def test_the_margin_is_what_a_competitor_must_be_beaten_by():
    planner = Planner(WEIGHTS, [Change("gild", 9, {"stars": 0.51})])
    options = {"position": 3, "competitors": RIVALS}
    assert planner.minimize_cost(ITEM, margin=0.02, **options).cost == 9
    with pytest.raises(ValueError, match="the best is position 4, at a cost of 0"):
        planner.minimize_cost(ITEM, margin=0.03, **options)


def test_the_last_position_is_free(planner):
    assert planner.minimize_cost(ITEM, position=4, competitors=RIVALS).changes == ()


def test_a_tie_shares_the_mean_position(planner):
    plan = planner.maximize_score(ITEM, 3, competitors=RIVALS)
    assert (plan.changes, plan.position) == (("polish",), 3.5)


def test_without_competitors_in_the_table_every_plan_is_first(planner):
    plans = planner.position_frontier(ITEM, RIVALS[:0])
    assert [(plan.changes, plan.position) for plan in plans] == [((), 1)]


def test_competitors_take_no_plan_off_the_frontier(planner):
    plans = planner.frontier(ITEM, competitors=RIVALS)
    assert [plan.changes for plan in plans] == [plan.changes for plan in planner.frontier(ITEM)]
    assert [plan.position for plan in plans] == [4, 3.5, 2, 1]


def test_the_flag_for_all_optima_still_works_but_is_deprecated(planner):
    with pytest.warns(DeprecationWarning, match="best_plans"):
        assert planner.maximize_score(ITEM, 5, all_optima=True) == planner.best_plans(ITEM, 5)
    with pytest.warns(DeprecationWarning, match="cheapest_plans"):
        plans = planner.minimize_cost(ITEM, gain=1, all_optima=True)
    assert plans == planner.cheapest_plans(ITEM, gain=1)


def test_items_and_competitors_come_from_frames_of_either_kind(planner):
    frame = RIVALS.reset_index(drop=True)
    expected = planner.frontier(ITEM, competitors=RIVALS)
    assert planner.frontier(pd.Series(ITEM), competitors=frame) == expected
    assert planner.frontier(ITEM, competitors=pl.from_pandas(frame)) == expected
    assert planner.frontier(ITEM, competitors=frame.to_dict("list")) == expected


def test_other_columns_of_an_item_are_ignored(planner):
    row = pd.Series({"name": "X100", **ITEM, "rank": 3})
    assert planner.maximize_score(row, 5) == planner.maximize_score(ITEM, 5)


def test_a_fitted_formula_gives_its_weights(planner):
    class Formula:
        weights_ = np.array([2.0, -0.1])
        feature_names_in_ = np.array(["stars", "price"], dtype=object)

    assert Planner(Formula(), [POLISH, REDESIGN]).frontier(ITEM) == planner.frontier(ITEM)


def test_what_is_too_wide_for_stages_is_solved_by_an_integer_program(planner, monkeypatch):
    expected = [planner.frontier(ITEM), planner.best_plans(ITEM, 10)]
    monkeypatch.setattr(situations, "Stages", _too_wide)
    assert [planner.frontier(ITEM), planner.best_plans(ITEM, 10)] == expected


def _too_wide(problem, work):
    raise situations.TooWideError


def test_a_time_limit_that_cuts_in_is_told():
    rng = np.random.default_rng(0)
    changes = [
        Change(f"change {number}", int(cost), {"stars": int(gain)})
        for number, (cost, gain) in enumerate(rng.integers(1000, 2000, (300, 2)))
    ]
    conflicts = [[f"change {n}" for n in rng.choice(300, 4, replace=False)] for _ in range(200)]
    planner = Planner({"stars": 1}, changes, conflicts, time_limit=1e-3)
    try:
        plan = planner.maximize_score({"stars": 0}, 50_000)
    except RuntimeError as error:
        assert "no plan was found within time_limit=0.001 seconds" in str(error)  # noqa: PT017
    else:
        assert not plan.optimal


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((WEIGHTS, []), "changes is empty"),
        ((WEIGHTS, ["polish"]), "changes holds 'polish'; give Change objects"),
        ((WEIGHTS, [POLISH, POLISH]), "two changes are named 'polish'"),
        ((WEIGHTS, [Change("a", 1, {"stras": 1})]), r"'a' changes \['stras'\], which the formula"),
        ((WEIGHTS, [POLISH], [["polish", "gild"]]), r"names \['gild'\], but no change"),
        ((WEIGHTS, [POLISH], [["polish"]]), "give two or more different changes"),
        ((WEIGHTS, [POLISH], ["polish"]), "give two or more different changes"),
        ((WEIGHTS, [POLISH], [], [("gild", "polish")]), r"prerequisite .* names \['gild'\]"),
        ((WEIGHTS, [POLISH, REDESIGN, Change("c", 1, {})], [], [("polish", "redesign", "c")]),
         "give pairs"),
        ((WEIGHTS, [POLISH], [], [], {"size": (1, 5)}), "bounds names 'size'"),
        ((WEIGHTS, [POLISH], [], [], {"stars": (5, 1)}), "the lowest comes first"),
        ((WEIGHTS, [POLISH], [], [], {"stars": 5}), r"give \(lowest, highest\)"),
        (({"stars": math.nan}, [POLISH]), "the weight of 'stars' is nan"),
        ((3, [POLISH]), "3 is neither a mapping of weights nor a fitted formula"),
    ],
)  # fmt: skip
def test_bad_input_is_named_with_its_remedy(arguments, message):
    with pytest.raises(ValueError, match=message):
        Planner(*arguments)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: p.maximize_score(ITEM, -1), "budget=-1; give zero or more"),
        (lambda p: p.maximize_score(ITEM, math.nan), "budget=nan; give zero or more"),
        (lambda p: p.maximize_score(ITEM, "8"), "budget='8'; give zero or more"),
        (lambda p: p.maximize_score({"stars": 3}, 1), r"no value for \['price'\]"),
        (lambda p: p.maximize_score({**ITEM, "price": math.nan}, 1), "'price' of the item is nan"),
        (lambda p: p.maximize_score({**ITEM, "price": "9"}, 1), "'price' of the item is '9'"),
        (lambda p: p.maximize_score(RIVALS, 1), "the item is a DataFrame; give a mapping"),
        (lambda p: p.maximize_score([3, 10], 1), "the item is a list; give a mapping"),
        (lambda p: p.minimize_cost(ITEM, gain=9), "no plan gains 9; the most is 3.5, at a cost"),
        (lambda p: p.minimize_cost(ITEM), "gain=None, position=None; give one of the two"),
        (lambda p: p.minimize_cost(ITEM, gain=1, position=1), "give one of the two"),
        (lambda p: p.minimize_cost(ITEM, position=1), "position=1 needs competitors"),
        (lambda p: p.minimize_cost(ITEM, position=0, competitors=RIVALS), "choose from 1 to 4"),
        (lambda p: p.minimize_cost(ITEM, position=5, competitors=RIVALS), "choose from 1 to 4"),
        (lambda p: p.frontier(ITEM, competitors=RIVALS[["stars"]]), r"no column \['price'\]"),
        (lambda p: p.frontier(ITEM, competitors=RIVALS * math.nan), "competitor 'x' is nan"),
        (lambda p: p.frontier(ITEM, competitors=RIVALS, margin=-1), "margin=-1; give zero or more"),
        (lambda p: p.frontier(RIVALS.loc["y"], competitors=RIVALS), "holds the item 'y' itself"),
    ],
)  # fmt: skip
def test_bad_questions_are_named_with_their_remedy(planner, call, message):
    with pytest.raises(ValueError, match=message):
        call(planner)


def test_an_item_outside_its_bounds_is_an_error():
    planner = Planner(WEIGHTS, [POLISH], bounds={"stars": (1, 2.5)})
    with pytest.raises(ValueError, match=r"'stars' of the item is 3.0, outside its bounds"):
        planner.frontier(ITEM)


@pytest.mark.parametrize("value", [-1, math.nan, "8", None])
@pytest.mark.parametrize("name", ["slack", "time_limit"])
def test_slack_and_time_are_numbers_of_at_least_zero(name, value):
    with pytest.raises(ValueError, match=f"{name}={value!r}; give a number of at least 0"):
        Planner(WEIGHTS, [POLISH], **{name: value})


def test_an_unknown_way_beyond_bounds_is_an_error():
    with pytest.raises(ValueError, match=r"beyond='cut'; choose from \['clip', 'refuse'\]"):
        Planner(WEIGHTS, [POLISH], beyond="cut")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("", 1, {}), "a change is named ''"),
        (("a", math.inf, {}), "the cost of 'a' is inf; give a finite number"),
        (("a", "1", {}), "the cost of 'a' is '1'; give a number"),
        (("a", 1, {"stars": None}), "the effect of 'a' on 'stars' is None"),
        (("a", 1, [1, 2]), r"the effects of 'a' are \[1, 2\]; give a mapping"),
    ],
)
def test_a_bad_change_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        Change(*arguments)
