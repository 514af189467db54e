"""Bad input gets a ValueError that names it, or the documented result; never a stray traceback."""

import inspect
import re

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

import rankwright as rw

X = np.random.default_rng(0).normal(size=(8, 2))
Y = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0])
GROUPS = np.array([0, 0, 1, 1, 2, 2, 3, 3])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.empty((0, 2)), []), "0 sample"),
        ((X, Y[:5]), "y has 5 values but X has 8 rows|inconsistent numbers of samples"),
        ((X, np.where(Y == 1, np.nan, 0)), "NaN"),
        ((X, np.where(Y == 1, np.inf, 0)), "inf"),
        (
            (np.array([["a", "b"]] * 8), Y),
            "could not convert string to float: .*a|the array holds text, as 'a'",
        ),
        ((X, None), "requires y to be passed, but the target y is None"),
    ],
)
def test_bad_rows_are_named(ranker, arguments, message):
    with pytest.raises(ValueError, match=message):
        ranker.make().fit(*arguments)


@pytest.mark.parametrize(
    "y",
    [
        pytest.param(3.0, id="a number"),
        pytest.param("abc", id="a text"),
        pytest.param({0.0, 1.0}, id="a set"),
        pytest.param(csr_array(Y[None]), id="sparse"),
        pytest.param([[1], [1, 2], *[[3]] * 6], id="lists"),
        pytest.param((value for value in Y), id="a generator"),
    ],
)
def test_a_y_that_is_no_vector_is_refused_in_words(ranker, y):
    words = r"y has shape \(\); give one value|y holds lists; give one value|strings have no order"
    with pytest.raises(ValueError, match=words):
        ranker.make().fit(X, y)


@pytest.mark.parametrize("when", [pd.to_datetime(["2020"] * 8), pd.to_timedelta([1.0] * 8, "D")])
def test_columns_of_times_are_named_in_fit_and_predict(ranker, when):
    if "AdaptedRanker" in type(ranker.make()).__name__:
        pytest.skip("a frame is for its model to read")
    given, times = pd.DataFrame({"a": X[:, 0], "when": X[:, 1]}), pd.DataFrame({"a": X[:, 0]})
    for door in (lambda frame: ranker.make().fit(frame, Y), ranker.make().fit(given, Y).predict):
        with pytest.raises(ValueError, match=r"column 'when' of X has type .*; give numbers, such"):
            door(times.assign(when=when))


@pytest.mark.parametrize("when", [pd.to_datetime(["2020"] * 8), pd.to_timedelta([1.0] * 8, "D")])
def test_weights_are_no_times(ranker, when):
    fit = ranker.make().fit
    if "sample_weight" not in inspect.signature(fit).parameters:
        pytest.skip("takes no weights")
    with pytest.raises(ValueError, match=r"sample_weight has type .*; give numbers, such as"):
        fit(X, Y, sample_weight=when)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (np.where(GROUPS == 1, np.nan, GROUPS), "groups has 2 missing values, the first in row 2"),
        (GROUPS[:5], "groups has 5 entries but there are 8 rows"),
    ],
)
def test_bad_groups_are_named(ranker, groups, message):
    if not ranker.takes_groups:
        pytest.skip("takes no groups")
    with pytest.raises(ValueError, match=message):
        ranker.make().fit(X, Y, groups)


def test_groups_are_taken_or_refused_with_the_reason(ranker):
    if ranker.takes_groups:
        assert np.isfinite(ranker.make().fit(X, Y, GROUPS).rank(X, GROUPS)).all()
    else:
        with pytest.raises(ValueError, match="groups"):
            ranker.make().fit(X, Y, GROUPS)


@pytest.mark.parametrize(
    ("rows", "y", "groups"),
    [
        pytest.param(slice(1), [1.0], None, id="one row"),
        pytest.param(slice(8), np.ones(8), None, id="all ties"),
        pytest.param(slice(8), Y, np.arange(8), id="one item per group"),
    ],
)
def test_data_without_any_pair_is_refused_or_gives_equal_places(ranker, rows, y, groups):
    if groups is not None and not ranker.takes_groups:
        pytest.skip("takes no groups")
    arguments = (X[rows], y) if groups is None else (X[rows], y, groups)
    refusal = ""
    try:
        places = ranker.make().fit(*arguments).rank(X)
    except ValueError as error:
        refusal = str(error)
    if refusal:
        assert re.search("pair|class|sample|no two products", refusal)
    else:
        assert np.ptp(places) == 0


@pytest.mark.parametrize("groups", [None, np.zeros(8)])
def test_a_score_on_one_value_of_y_is_an_error_with_and_without_groups(ranker, groups):
    model = ranker.make().fit(X, Y)
    with pytest.raises(rw.metrics.UndefinedMetricError):
        model.score(X, np.ones(8), groups)


def test_rankings_with_a_y_of_their_own_are_refused(ranker):
    if not ranker.takes_groups:
        pytest.skip("takes no groups")
    with pytest.raises(ValueError, match="Rankings carry their own y and groups"):
        ranker.make().fit(rw.Rankings(X, [[0, 1, 2]]), Y)


class Odd:
    """Of no type that a parameter takes, and not to be compared with one."""

    def __eq__(self, other):
        raise TypeError("compared before it was checked")

    def __hash__(self):
        raise TypeError("looked up before it was checked")

    def __repr__(self):
        return "<odd>"


def parameters(ranker):
    return ranker.make().get_params(deep=False)


def test_every_parameter_has_a_rule(ranker):
    model = ranker.make()
    assert set(model._parameter_rules) == set(parameters(ranker))


def test_a_parameter_of_another_type_is_named_with_the_remedy(ranker):
    for parameter in parameters(ranker):
        model = ranker.make().set_params(**{parameter: Odd()})
        with pytest.raises(ValueError, match=f"^{parameter}=<odd>; (give|choose|map) .+"):
            model.fit(X, Y)


@pytest.mark.parametrize(
    "value",
    ["1", [1], np.nan, {1}, (), True, 1j, np.ones(2), np.array(3), LogisticRegression, 10**400],
)
def test_no_value_of_a_parameter_gives_a_raw_error(ranker, value):
    for parameter in parameters(ranker):
        refusal = ""
        try:
            ranker.make().set_params(**{parameter: value}).fit(X, Y)
        except ValueError as error:
            refusal = str(error)
        assert not refusal or refusal.startswith(f"{parameter}="), (parameter, refusal)


def test_whole_numbers_that_no_kernel_takes_are_refused_by_their_size(ranker):
    sizes = {name for name, rule in ranker.make()._parameter_rules.items() if rule.accepts(3)}
    for parameter in sizes & set(parameters(ranker)):
        model = ranker.make().set_params(**{parameter: 10**5000})
        with pytest.raises(ValueError, match=rf"^{parameter}=2\*\*16609 or more, too large; give"):
            model.fit(X, Y)


def test_the_defaults_keep_their_rules(ranker):
    kind = type(ranker.make())
    if kind is rw.AdaptedRanker:
        pytest.skip("it has no default model")
    kind()._check_parameters()
