import warnings

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.feature_selection import RFECV
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    RandomizedSearchCV,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    permutation_test_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rankwright as rw

LOST = "gives the groups to its splitter, but not to PairwiseRanker.fit"


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(40, 2)), np.repeat(np.arange(8), 5)
    return X, X[:, 0] + rng.normal(size=40), groups


@pytest.fixture
def pipeline():
    return make_pipeline(StandardScaler(), rw.PairwiseRanker())


def search(ranker, **options):
    return GridSearchCV(ranker, {}, cv=GroupKFold(2), **options)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_search_that_keeps_its_groups_is_told(data, pipeline, n_jobs):
    X, y, groups = data
    with pytest.warns(UserWarning, match="GridSearchCV.fit " + LOST):
        search(pipeline, n_jobs=n_jobs, refit=False).fit(X, y, groups=groups)


@pytest.mark.parametrize("function", [cross_validate, cross_val_score, cross_val_predict])
def test_a_cross_validation_that_keeps_its_groups_is_told(data, pipeline, function):
    X, y, groups = data
    with pytest.warns(UserWarning, match=LOST):
        function(pipeline, X, y, groups=groups, cv=GroupKFold(2))


def test_each_search_is_told_once(data, pipeline):
    X, y, groups = data
    tried = GridSearchCV(pipeline, {"pairwiseranker__alpha": [0.1, 1.0]}, cv=GroupKFold(4))
    for _ in range(2):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            tried.fit(X, y, groups=groups)
            cross_val_score(pipeline, X, y, groups=groups, cv=GroupKFold(4))
        assert [str(one.message).split()[0] for one in told] == [
            "GridSearchCV.fit",
            "cross_val_score",
        ]


def test_other_searches_are_told(data):
    X, y, groups = data
    tried = RandomizedSearchCV(rw.PairwiseRanker(), {"alpha": [0.1, 1.0]}, n_iter=1, cv=2)
    with pytest.warns(UserWarning, match="RandomizedSearchCV.fit " + LOST):
        tried.fit(X, y, groups=groups)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_elimination_of_features_that_keeps_its_groups_is_told(data, n_jobs):
    X, y, groups = data
    with pytest.warns(UserWarning, match=r"^RFECV\.fit " + LOST) as told:
        RFECV(rw.PairwiseRanker(), cv=GroupKFold(2), n_jobs=n_jobs).fit(X, y, groups=groups)
    assert len(told) == 1


def test_a_permutation_test_is_told_once_by_its_name(data, pipeline):
    X, y, groups = data
    with pytest.warns(UserWarning, match="^permutation_test_score " + LOST) as told:
        permutation_test_score(pipeline, X, y, groups=groups, cv=GroupKFold(2), n_permutations=2)
    assert len(told) == 1


def test_the_remedy_works(data, pipeline):
    X, y, groups = data
    with warnings.catch_warnings(), sklearn.config_context(enable_metadata_routing=True):
        warnings.simplefilter("error")
        found = search(pipeline).fit(X, y, groups=groups).best_estimator_
    assert found[-1].n_pairs_ == 8 * 10


@pytest.mark.parametrize("ranker", [rw.PairwiseRanker(), rw.PRankPerceptron()])
def test_nothing_is_said_without_groups_or_to_rankers_that_take_none(data, ranker):
    X, y, groups = data
    grades = np.digitize(y, [-1.0, 1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clone(ranker)
        RFECV(rw.PairwiseRanker(), cv=2).fit(X, y)
        GridSearchCV(ranker, {}, cv=2).fit(X, grades)
        if isinstance(ranker, rw.PRankPerceptron):
            search(ranker).fit(X, grades, groups=groups)


def test_a_ranker_that_takes_no_groups_leaves_them_to_the_splitter(data):
    X, y, groups = data
    with sklearn.config_context(enable_metadata_routing=True):
        ranker = rw.PRankPerceptron(random_state=0)
        found = search(ranker).fit(X, np.digitize(y, [-1.0, 1.0]), groups=groups)
    assert found.best_score_ > 0
