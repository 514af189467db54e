import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.metrics import quality_measures

item = st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(0, 4), st.booleans())


def has_training_items(rows):
    return all(any(not r[3] for r in rows if r[0] == g) for g in {r[0] for r in rows})


def brute(rows, top):
    """Section 5 of the paper, set by set; returns (train, test) lists of M1, M2, M3."""
    sums = np.zeros((2, 3, 2))
    for group in {row[0] for row in rows}:
        everyone = [(y, f, test) for g, y, f, test in rows if g == group]
        train = [row for row in everyone if not row[2]]
        cut = min(top, len(train)) - 1
        zeta = sorted((y for y, *_ in train), reverse=True)[cut]
        f_cut = sorted((f for _, f, _ in train), reverse=True)[cut]
        for measure, keep in enumerate([lambda row, z=zeta: row[0] >= z, lambda row: True]):
            for a in filter(keep, everyone):
                for b in filter(keep, everyone):
                    part = int(a[2] or b[2])
                    sums[part, measure] += [a[0] > b[0] and a[1] > b[1], a[0] > b[0]]
        for y, f, test in everyone:
            sums[int(test), 2] += [(y >= zeta and f >= f_cut) or (y < zeta and f < f_cut), 1]
    return [[a / b if b else math.nan for a, b in part] for part in sums]


@given(st.lists(item, min_size=1, max_size=14).filter(has_training_items), st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_measures_follow_section_5(rows, top):
    groups, y, f, test = (list(column) for column in zip(*rows, strict=True))
    measures = quality_measures(y, f, groups, top=top, test=test)
    train, tested = brute(rows, top)
    ours = measures.train
    assert [ours.m1, ours.m2, ours.m3] == pytest.approx(train, nan_ok=True)
    if any(test):
        ours = measures.test
        assert [ours.m1, ours.m2, ours.m3] == pytest.approx(tested, nan_ok=True)
    else:
        assert measures.test is None


def test_the_top_is_given_for_each_subcategory():
    y, f, groups = [3, 2, 1, 3, 2, 1], [3, 2, 1, 2, 3, 1], list("aaabbb")
    assert quality_measures(y, f, groups, top={"a": 2, "b": 1}).train.m3 == pytest.approx(4 / 6)


def test_a_subcategory_needs_a_training_item():
    with pytest.raises(ValueError, match="group 'b' has no training item"):
        quality_measures([1, 2, 3], [1, 2, 3], list("aab"), top=1, test=[False, True, True])


@pytest.mark.filterwarnings("error")
def test_without_a_pair_a_share_is_nan_without_a_warning():
    train = quality_measures([1, 1], [1, 2], top=1).train
    assert np.isnan([train.m1, train.m2]).all()


def test_the_test_mask_is_boolean():
    with pytest.raises(ValueError, match="dtype int64"):
        quality_measures([1, 2], [1, 2], top=1, test=[0, 1])
    with pytest.raises(ValueError, match="test has 1 values"):
        quality_measures([1, 2], [1, 2], top=1, test=[True])
