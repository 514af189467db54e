import numpy as np
import pandas as pd
import sklearn
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import rankwright as rw

WHOLE_LISTS = {
    "check_methods_subset_invariance": "a rank depends on the list",
}


def test_scikit_learn_checks_pass():
    check_estimator(rw.WithinGroupRanks(), expected_failed_checks=WHOLE_LISTS)


def test_ranks_are_those_of_the_group_and_gaps_stay_gaps():
    X = pd.DataFrame({"a": [1.0, 5.0, 5.0, np.nan, 2.0], "b": [0.0, 9.0, 8.0, 7.0, 6.0]})
    found = rw.WithinGroupRanks().set_output(transform="pandas").fit(X)
    ranks = found.transform(X, groups=["y", "x", "x", "x", "y"])
    assert ranks.columns.tolist() == ["a", "b", "a within group", "b within group"]
    np.testing.assert_array_equal(ranks["a within group"], [0.25, 0.5, 0.5, np.nan, 0.75])
    np.testing.assert_allclose(ranks["b within group"], [0.25, 5 / 6, 0.5, 1 / 6, 0.75])


def test_a_pipeline_hands_the_groups_on():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 8)
    X = rng.normal(size=(240, 1)) + 50 * rng.normal(size=30)[groups, None]
    y = (-np.abs(rw.WithinGroupRanks().fit_transform(X, groups=groups)[:, 1] - 0.5)).round(2)
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(rw.WithinGroupRanks(), rw.BoostedRanker(30, random_state=0))
        pipeline.fit(X, y, groups=groups)
        scores = pipeline.predict(X, groups=groups)
    assert rw.metrics.mean_over_groups(rw.metrics.kendall_tau, y, scores, groups) > 0.9
    alone = rw.BoostedRanker(30, random_state=0).fit(X, y, groups)
    assert alone.score(X, y, groups) < 0.7
