"""Forests on workers are those of one machine, and forests of partitions are forests."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import rankwright as rw
from cluster.conftest import FACTORS, in_partitions

pytestmark = pytest.mark.xdist_group("cluster")

FORESTS = {
    "ordinal": (rw.OrdinalForest(6, oob_score=True, random_state=0), "y"),
    "ranking": (rw.RankingForest(6, oob_score=True, random_state=0), "bought"),
    "boosted": (rw.BoostedRanker(4, random_state=0), "y"),
}


@pytest.fixture(scope="module")
def shop(shuffled_rows):
    """Rows with text, gaps and labels of two classes."""
    color = pd.Series(np.where(shuffled_rows["f3"] > 0, "red", "blue"), shuffled_rows.index)
    color[shuffled_rows["f3"] < -1] = "green"
    gaps = shuffled_rows["f2"].where(shuffled_rows["f2"] > -1)
    bought = np.where(shuffled_rows["y"] > 0, "yes", "no")
    return shuffled_rows.assign(f2=gaps, color=color, bought=bought)


COLUMNS = [*FACTORS, "color"]


def scores(forest, rows):
    method = "decision_function" if hasattr(forest, "decision_function") else "predict"
    return getattr(forest, method)(rows[COLUMNS])


@pytest.mark.parametrize("name", FORESTS)
def test_the_forest_is_bit_by_bit_that_of_one_machine(client, shop, name):
    forest, target = FORESTS[name]
    alone = clone(forest).fit(shop[COLUMNS], shop[target])
    rows = in_partitions(shop, [300, 300, 700])
    fitted = rw.cluster.fit(clone(forest), rows[COLUMNS], rows[target])
    assert scores(fitted, shop).tobytes() == scores(alone, shop).tobytes()
    assert fitted.get_params() == forest.get_params()
    if name == "ranking":
        assert fitted.oob_.auc == alone.oob_.auc
    if name == "ordinal":
        assert fitted.oob_rank_loss_ == alone.oob_rank_loss_


@pytest.mark.parametrize("name", ["ordinal", "ranking"])
def test_a_second_forest_keeps_nothing_of_the_first(client, shop, name):
    forest, target = FORESTS[name]
    rows = in_partitions(shop, [300, 300, 700])
    model = rw.cluster.fit(clone(forest), rows[COLUMNS], rows[target])
    again = rw.cluster.fit(model.set_params(oob_score=False), rows[COLUMNS], rows[target])
    assert not {"oob_", "oob_rank_loss_", "oob_decision_function_"} & set(vars(again))


@pytest.mark.parametrize("name", ["ordinal", "ranking"])
def test_trees_of_partitions_share_labels_and_categories(client, shop, name):
    forest, target = FORESTS[name]
    # Sorted by colour, no partition knows all categories; by target, none knows all labels.
    sorted_rows = shop.sort_values(["color", target])
    rows = in_partitions(sorted_rows, [300, 300, 700])
    small = clone(forest).set_params(oob_score=False)
    fitted = rw.cluster.fit(small, rows[COLUMNS], rows[target], tree_rows="partition")
    assert len(fitted.trees_) == 6
    assert fitted.categories_ == {4: ["blue", "green", "red"]}
    labels = fitted.classes_ if name == "ranking" else fitted.labels_
    assert sorted(labels.tolist()) == sorted(shop[target].unique().tolist())
    assert fitted.has_missing_.tolist() == [False, False, True, False, False]
    assert np.isfinite(scores(fitted, shop)).all()


def test_trees_of_random_partitions_rank_nearly_as_well(client, shop):
    rows = in_partitions(shop, [400, 800])
    forest = rw.RankingForest(12, random_state=0)
    fitted = rw.cluster.fit(forest, rows[COLUMNS], rows["bought"], tree_rows="partition")
    assert rw.metrics.auc(shop["bought"] == "yes", fitted.predict(shop[COLUMNS])) > 0.8


def test_an_ordered_categorical_keeps_its_order_across_partitions(client, shop):
    grades = pd.Categorical(shop["bought"], ["yes", "no"], ordered=True)
    rows = in_partitions(shop.assign(grade=grades).sort_values("grade"), [400, 800])
    forest = rw.RankingForest(3, random_state=0)
    fitted = rw.cluster.fit(forest, rows[COLUMNS], rows["grade"], tree_rows="partition")
    assert fitted.classes_.tolist() == ["yes", "no"]


def test_rows_that_do_not_fit_a_worker_are_refused_with_the_other_way(client, shop, worker_bytes):
    worker_bytes(100_000)
    rows = in_partitions(shop, [400])
    with pytest.raises(ValueError, match="use tree_rows='partition'"):
        rw.cluster.fit(rw.OrdinalForest(2), rows[COLUMNS], rows["y"])
    with pytest.raises(ValueError, match="give one worker more memory"):
        rw.cluster.fit(rw.BoostedRanker(2), rows[COLUMNS], rows["y"])


def test_what_needs_common_rows_is_refused_for_partitions(client, shop):
    rows = in_partitions(shop, [400])
    for forest in (rw.RankingForest(2, oob_score=True), rw.RankingForest(2, aggregation="kemeny")):
        with pytest.raises(ValueError, match="compare trees on rows that all of them know"):
            rw.cluster.fit(forest, rows[COLUMNS], rows["bought"], tree_rows="partition")
    with pytest.raises(ValueError, match="tree_rows='some'; choose from"):
        rw.cluster.fit(rw.RankingForest(2), rows[COLUMNS], rows["bought"], tree_rows="some")
    with pytest.raises(ValueError, match="warm_start=True adds trees on one machine"):
        rw.cluster.fit(rw.RankingForest(2, warm_start=True), rows[COLUMNS], rows["bought"])


def test_partitions_of_one_label_each_are_refused(client, shop):
    rows = in_partitions(shop.sort_values("bought"), [int((shop["bought"] == "no").sum())])
    with pytest.raises(ValueError, match="in every partition all y are equal"):
        rw.cluster.fit(rw.RankingForest(2), rows[COLUMNS], rows["bought"], tree_rows="partition")


def test_empty_partitions_alone_are_refused(client, shop):
    rows = in_partitions(shop.iloc[:0], [0])
    for way in ("all", "partition"):
        with pytest.raises(ValueError, match="there are no rows"):
            rw.cluster.fit(rw.OrdinalForest(2), rows[COLUMNS], rows["y"], tree_rows=way)
