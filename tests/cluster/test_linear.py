"""Linear rankers on partitions find the optimum of one machine."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression

import rankwright as rw
from cluster.conftest import FACTORS, in_partitions

pytestmark = [
    pytest.mark.xdist_group("cluster"),
    pytest.mark.filterwarnings("ignore:.*shuffled by group once"),
]

RANKERS = {
    "logistic": rw.PairwiseRanker(),
    "squared hinge": rw.PairwiseRanker("squared_hinge", pair_weighting="group"),
    "adjacent": rw.PairwiseRanker(pairs="adjacent", nonnegative=True),
    "plackett-luce": rw.PlackettLuceRanker(),
    "expected rank": rw.ExpectedRankRegressor(),
    "scores": rw.LeastSquaresRanker("score"),
    "ranks": rw.LeastSquaresRanker("rank", nonnegative=True),
    "group ranks": rw.LeastSquaresRanker("group_rank"),
}


def coefficients(ranker):
    return ranker.regressor_.coef_ if hasattr(ranker, "regressor_") else ranker.coef_


def fit(ranker, frame, **options):
    return rw.cluster.fit(clone(ranker), frame[FACTORS], frame["y"], frame["group"], **options)


@pytest.mark.parametrize("name", RANKERS)
def test_the_optimum_on_whole_groups_is_that_of_one_machine(client, rows, whole, name):
    alone = clone(RANKERS[name]).fit(rows[FACTORS], rows["y"], rows["group"])
    fitted = fit(RANKERS[name], whole)
    np.testing.assert_allclose(coefficients(fitted), coefficients(alone), rtol=1e-8, atol=1e-8)
    assert fitted.feature_names_in_.tolist() == FACTORS


@pytest.mark.parametrize("name", ["logistic", "plackett-luce", "expected rank", "ranks"])
def test_groups_in_several_partitions_are_brought_together(client, rows, split, name):
    ranker = clone(RANKERS[name])
    if hasattr(ranker, "tol"):
        ranker.set_params(tol=1e-8)  # the solver comes from another side
    alone = clone(ranker).fit(rows[FACTORS], rows["y"], rows["group"])
    fitted = fit(ranker, split)
    np.testing.assert_allclose(coefficients(fitted), coefficients(alone), rtol=1e-6, atol=1e-6)
    if hasattr(alone, "objective_"):
        assert fitted.objective_ == pytest.approx(alone.objective_, rel=1e-12)


def test_the_hinge_is_as_near_the_minimum_as_its_gap_says(client, rows, whole):
    ranker = rw.PairwiseRanker("hinge", alpha=1e-2)
    alone = clone(ranker).fit(rows[FACTORS], rows["y"], rows["group"])
    fitted = fit(ranker, whole)
    assert abs(fitted.objective_ - alone.objective_) <= max(fitted.gap_, alone.gap_)


def test_a_second_run_gives_the_same_bits(client, split):
    first, second = (fit(rw.PairwiseRanker(), split).coef_ for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_a_shuffle_is_said_with_its_size(client, split):
    with pytest.warns(UserWarning, match=r"60 groups lie in several partitions, so 1,200 rows"):
        fit(rw.LeastSquaresRanker("group_rank"), split)


def test_scores_are_fitted_without_a_shuffle(client, split, recwarn):
    fit(rw.LeastSquaresRanker("score"), split)
    assert not [one for one in recwarn if "shuffled" in str(one.message)]


def test_weights_count_as_on_one_machine(client, rows, whole):
    weights = rows["f0"].abs()
    alone = rw.PairwiseRanker().fit(rows[FACTORS], rows["y"], rows["group"], weights)
    fitted = fit(rw.PairwiseRanker(), whole, sample_weight=whole["f0"].abs())
    np.testing.assert_allclose(fitted.coef_, alone.coef_, rtol=1e-8, atol=1e-8)
    assert fitted.n_pairs_ == pytest.approx(alone.n_pairs_)


def test_without_groups_all_rows_are_one_group(client, rows, whole):
    alone = rw.PairwiseRanker().fit(rows[FACTORS], rows["y"])
    fitted = rw.cluster.fit(rw.PairwiseRanker(), whole[FACTORS], whole["y"])
    np.testing.assert_allclose(fitted.coef_, alone.coef_, rtol=1e-8, atol=1e-8)


def test_an_ordered_categorical_counts_by_its_order(client, rows):
    names = {-2: "poor", -1: "fair", 0: "good", 1: "fine", 2: "best"}
    grades = pd.Categorical(rows["y"].map(names), list(names.values()), ordered=True)
    frame = in_partitions(rows.assign(y=grades, f0=rows["f0"].astype("float32")), [500])
    fitted = fit(rw.PairwiseRanker(), frame)
    local = rows.assign(f0=rows["f0"].astype("float32"))
    alone = rw.PairwiseRanker().fit(local[FACTORS], rows["y"], rows["group"])
    np.testing.assert_allclose(fitted.coef_, alone.coef_, rtol=1e-5)


def test_progress_counts_partitions_and_evaluations(client, whole):
    told = {}
    fit(rw.PairwiseRanker(), whole, progress=lambda what, done, total: told.update({what: done}))
    assert told["partitions read"] == 4
    assert told["evaluations of the objective"] > 3


def test_a_group_larger_than_a_worker_is_refused(client, whole, worker_bytes):
    worker_bytes(5_000)
    with pytest.raises(ValueError, match=r"the smallest worker has 5e-06 GB; a group is never"):
        fit(rw.PairwiseRanker(), whole)
    with pytest.raises(ValueError, match="without groups all rows are one group, which has 1,200"):
        rw.cluster.fit(rw.PairwiseRanker(), whole[FACTORS], whole["y"])


BAD = {
    "X is a DataFrame, not a Dask DataFrame; it is here already": lambda f, d: (f[FACTORS], d["y"]),
    "y is a Series, not a Dask Series": lambda f, d: (d[FACTORS], f["y"]),
    "X has 4 partitions and y 2": lambda f, d: (d[FACTORS], in_partitions(f, [7])["y"]),
    "X has no columns": lambda f, d: (d[[]], d["y"]),
    "a partition of X has": lambda f, d: (d[FACTORS], in_partitions(f, [1, 2, 3])["y"]),
    "different indexes": lambda f, d: (
        d[FACTORS], d.map_partitions(lambda part: part.set_axis(-1 - part.index))["y"]
    ),
    "a partition of X has no column 'f3', only": lambda f, d: (
        dd.from_map(lambda part: f[FACTORS[:-1]], range(4), meta=f[FACTORS].iloc[:0]), d["y"]
    ),
    r"in partition \d: y holds 'x'": lambda f, d: (
        d[FACTORS], d["y"].map(lambda y: "x", meta=("y", object))
    ),
    r"in partition \d: could not convert string": lambda f, d: (
        d[FACTORS].assign(f1="blue").astype({"f1": object}), d["y"]
    ),
    r"in partition \d: Input X contains NaN": lambda f, d: (
        d[FACTORS].where(d[FACTORS] > 0), d["y"]
    ),
    "there is no pair to learn from.*n_samples=1200": lambda f, d: (d[FACTORS], d["y"] * 0),
    "the categories of y are not known": lambda f, d: (
        d[FACTORS], d["y"].astype("category").cat.as_unknown()
    ),
}  # fmt: skip


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_refused_with_the_remedy(client, rows, whole, message):
    X, y = BAD[message](rows, whole)
    with pytest.raises(ValueError, match=message):
        rw.cluster.fit(rw.PairwiseRanker(), X, y, whole["group"])


def test_columns_may_be_ordered_differently_in_each_partition(client, whole):
    X = whole[FACTORS].map_partitions(
        lambda part: part[FACTORS[::-1]] if part["f0"].sum() > 0 else part,
        meta=whole[FACTORS]._meta,
        enforce_metadata=False,
    )
    fitted = rw.cluster.fit(rw.LeastSquaresRanker(), X, whole["y"])
    expected = rw.cluster.fit(rw.LeastSquaresRanker(), whole[FACTORS], whole["y"])
    np.testing.assert_allclose(coefficients(fitted), coefficients(expected), rtol=1e-12)
    scores = [rw.cluster.predict(fitted, some).compute() for some in (X, whole[FACTORS])]
    np.testing.assert_allclose(*scores, rtol=1e-9, atol=1e-12)


def test_a_partition_without_weight_counts_nothing(client, rows, whole):
    weights = (rows["group"] >= 15).astype(float)  # the first partition ends there
    ranker = rw.PairwiseRanker(tol=1e-8)  # the solver comes from another side
    alone = clone(ranker).fit(rows[FACTORS], rows["y"], rows["group"], weights)
    fitted = fit(ranker, whole, sample_weight=(whole["group"] >= 15).astype(float))
    np.testing.assert_allclose(fitted.coef_, alone.coef_, rtol=1e-6, atol=1e-6)
    for ranker in (rw.PairwiseRanker(), rw.LeastSquaresRanker()):
        with pytest.raises(ValueError, match="there are no rows"):
            fit(ranker, whole, sample_weight=whole["f0"] * 0)


def test_an_error_after_a_shuffle_names_a_partition_of_the_shuffled_rows(client, split):
    y = split["y"].where(split["y"] < 2)
    with pytest.raises(ValueError, match=r"in partition \d \(of the rows shuffled by group\): y"):
        rw.cluster.fit(rw.PairwiseRanker(), split[FACTORS], y, split["group"])


def test_missing_groups_are_refused(client, whole):
    groups = whole["group"].where(whole["group"] > 3)
    with pytest.raises(ValueError, match=r"groups has .* missing values in partition 0"):
        rw.cluster.fit(rw.PairwiseRanker(), whole[FACTORS], whole["y"], groups)


def test_only_empty_partitions_are_refused(client, rows):
    empty = in_partitions(rows.iloc[:0], [0])
    for ranker in (rw.PairwiseRanker(), rw.LeastSquaresRanker()):
        with pytest.raises(ValueError, match="there are no rows"):
            fit(ranker, empty)


def test_rankers_that_are_no_sums_are_refused(client, whole):
    with pytest.raises(ValueError, match="PushRanker can't be fitted in partitions; choose from"):
        fit(rw.PushRanker(), whole)
    with pytest.raises(ValueError, match=r"regressor=LinearRegression.* leave it out"):
        fit(rw.ExpectedRankRegressor(LinearRegression()), whole)
    with pytest.raises(ValueError, match=r"ranker is the class PairwiseRanker; give one"):
        rw.cluster.fit(rw.PairwiseRanker, whole[FACTORS], whole["y"])
    with pytest.raises(ValueError, match="tree_rows='partition' is for forests"):
        fit(rw.PairwiseRanker(), whole, tree_rows="partition")


def test_an_unpenalised_fit_says_what_is_not_checked(client, whole):
    with pytest.warns(UserWarning, match="alpha=0: whether an unpenalised minimum exists"):
        fit(rw.PairwiseRanker(alpha=0.0), whole)


def test_too_many_distinct_values_for_places_are_refused(client, whole, monkeypatch):
    from rankwright.cluster import linear

    monkeypatch.setattr(linear, "MOST_VALUES", 3)
    with pytest.raises(ValueError, match="y has more than 3 distinct values"):
        fit(rw.LeastSquaresRanker("rank"), whole)
