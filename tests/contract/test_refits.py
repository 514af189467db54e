"""What a fit learns is documented, and a second fit leaves nothing of the first one behind."""

import re

import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge

import rankwright as rw

# Settings under which a fit learns attributes that it has not by default.
LEARNS_MORE = [
    (rw.AdaptedRanker(LogisticRegression()), rw.AdaptedRanker(Ridge())),
    (rw.BoostedOrdinal(3, interactions=1), rw.BoostedOrdinal(3)),
    (rw.BoostedRanker(3, interactions=1), rw.BoostedRanker(3)),
    (rw.OrdinalForest(9, oob_score=True), rw.OrdinalForest(9)),
    (rw.OrdinalTree(prune="cv"), rw.OrdinalTree()),
    (rw.PairwiseRanker("hinge", alpha=0.1), rw.PairwiseRanker()),
    (rw.PairwiseRankerCV([0.1], 2, "hinge"), rw.PairwiseRankerCV([0.1], 2)),
    (rw.RankingForest(9, aggregation="kemeny", max_depth=1), rw.RankingForest(9)),
    (rw.RankingForest(9, oob_score=True), rw.RankingForest(9)),
    (rw.TreeRank(prune="cv"), rw.TreeRank()),
]


def fit(model, problem):
    groups = () if problem.groups is None else (problem.groups,)
    return model.fit(problem.X, problem.y, *groups)


def test_a_refit_keeps_no_attribute_that_it_did_not_learn(ranker, problem):
    model = fit(ranker.make(), problem)
    learned = set(vars(model))
    model.of_another_setting_ = 1
    assert set(vars(fit(model, problem))) == learned


@pytest.mark.parametrize(("first", "second"), LEARNS_MORE)
def test_a_refit_leaves_no_attribute_of_another_setting(first, second, two_classes):
    X, y = two_classes
    model, fresh = clone(first).fit(X, y), clone(second).fit(X, y)
    assert set(vars(model)) - set(vars(fresh)), "the first setting learns more"
    model.set_params(**second.get_params(deep=False)).fit(X, y)
    assert set(vars(model)) == set(vars(fresh))


def test_a_refused_refit_leaves_the_model_as_it_was(ranker, problem):
    model = fit(ranker.make(), problem)
    before = dict(vars(model))
    with pytest.raises(ValueError, match=r"y has 5 values|inconsistent numbers of"):
        model.fit(problem.X, problem.y[:5])
    assert vars(model) == before


@pytest.fixture
def two_classes():
    data = rw.datasets.make_rf10_sparse(100, random_state=0)
    return data.X, data.y


@pytest.mark.parametrize("model", [one for pair in LEARNS_MORE for one in pair])
def test_learned_attributes_of_other_settings_are_documented(model, two_classes):
    assert undocumented(clone(model).fit(*two_classes)) == set()


def test_learned_attributes_are_documented(ranker, problem):
    assert undocumented(fit(ranker.make(), problem)) == set()


def undocumented(model):
    text = type(model).__doc__
    told = text[text.index("Attributes\n") : text.index("Examples\n")]
    learned = {name for name in vars(model) if name.endswith("_")}
    return learned - set(re.findall(r"\w+", told))
