from itertools import combinations

import pytest

from rankwright.datasets import load_cameras


@pytest.fixture(scope="module")
def example():
    return load_cameras()


def feasible_plans(example):
    changes = example.changes.index
    for size in range(len(changes) + 1):
        for plan in combinations(changes, size):
            if all(len(set(plan) & set(conflict)) <= 1 for conflict in example.conflicts):
                yield list(plan)


def test_tables_name_the_same_factors(example):
    factors = example.factors.index.tolist()
    assert len(factors) == 10
    assert example.cameras.columns.tolist() == factors
    assert example.changes.columns.tolist() == ["cost", *factors]


def test_there_are_twelve_changes_and_six_conflict_sets_of_them(example):
    assert len(example.changes) == 12
    assert len(example.conflicts) == 6
    assert {name for conflict in example.conflicts for name in conflict} <= set(
        example.changes.index
    )
    assert example.conflicts[1] == ("Wider angle", "Add 2 megapixels", "Better lens", "Most modes")


def test_there_are_512_feasible_plans_with_costs_up_to_35(example):
    """Chang et al. (2012), corrected."""
    costs = [example.changes.loc[plan, "cost"].sum() for plan in feasible_plans(example)]
    assert len(costs) == 512
    assert max(costs) == 35


@pytest.mark.parametrize(
    ("change", "gain"),
    [
        ("Larger battery", 0.05),
        ("Wider angle", 2.181),
        ("Add 2 megapixels", 3.339),
        ("Better video", 2.926),
        ("Better lens", 5.097),
        ("Most modes", 7.6685),
    ],
)
def test_gains_are_those_of_the_printed_weights(example, change, gain):
    """Table 15 of Chang et al. (2012), corrected."""
    effects = example.changes.loc[change].drop("cost")
    assert effects @ example.factors["weight"] == pytest.approx(gain, abs=1e-9)


def test_cameras_score_what_the_printed_weights_give(example):
    """Chang et al. (2012), corrected: 88.556 and 69.514."""
    scores = example.cameras @ example.factors["weight"]
    assert scores.to_dict() == pytest.approx({"camera_1": 88.556, "camera_2": 69.514})
