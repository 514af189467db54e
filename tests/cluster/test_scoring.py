"""Scores, positions and metrics of partitions are those of one machine."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from cluster.conftest import FACTORS

pytestmark = [
    pytest.mark.xdist_group("cluster"),
    pytest.mark.filterwarnings("ignore:.*shuffled by group once"),
]


@pytest.fixture(scope="module")
def ranker(rows):
    return rw.PairwiseRanker().fit(rows[FACTORS], rows["y"], rows["group"])


def test_scores_keep_index_and_order_and_are_lazy(client, ranker, split, shuffled_rows):
    scores = rw.cluster.predict(ranker, split[FACTORS])
    assert isinstance(scores, dd.Series)
    found = scores.compute()
    assert found.index.equals(shuffled_rows.index)
    np.testing.assert_allclose(found, ranker.predict(shuffled_rows[FACTORS]), rtol=1e-12)


def test_scores_are_written_to_parquet(client, ranker, whole, rows, tmp_path):
    rw.cluster.predict(ranker, whole[FACTORS]).to_frame().to_parquet(tmp_path / "scores")
    written = dd.read_parquet(tmp_path / "scores")["score"].compute()
    np.testing.assert_allclose(written, ranker.predict(rows[FACTORS]), rtol=1e-12)


@pytest.mark.parametrize("grouped", [True, False])
def test_positions_in_split_groups_come_back_to_their_rows(
    client, ranker, split, shuffled_rows, grouped
):
    groups, own = (split["group"], shuffled_rows["group"]) if grouped else (None, None)
    found = rw.cluster.rank(ranker, split[FACTORS], groups).compute()
    assert found.index.equals(shuffled_rows.index)
    assert np.array_equal(found, ranker.rank(shuffled_rows[FACTORS], own))


def test_positions_in_whole_groups_need_no_shuffle(client, ranker, whole, rows):
    positions = rw.cluster.rank(ranker, whole[FACTORS], whole["group"])
    assert np.array_equal(positions.compute(), ranker.rank(rows[FACTORS], rows["group"]))
    assert not any("shuffle" in str(key) for key in positions.__dask_graph__())


def test_labels_of_an_ordinal_ranker_are_ranked_by_their_scores(client, rows, whole):
    forest = rw.OrdinalForest(3, random_state=0).fit(rows[FACTORS], rows["y"])
    found = rw.cluster.predict(forest, whole[FACTORS]).compute()
    assert np.array_equal(found, forest.decision_function(rows[FACTORS]))


METRICS = ("kendall_tau", "auc", "ndcg@5")


@pytest.mark.parametrize("form", ["whole", "split"])
def test_metrics_by_group_are_those_of_one_machine(client, ranker, rows, form, request):
    frame = request.getfixturevalue(form)
    good = (frame["y"] > 1).astype(int)
    table = rw.cluster.evaluate(ranker, frame[FACTORS], good, frame["group"], metrics=METRICS)
    scores = ranker.predict(rows[FACTORS])
    for name, found in table.iterrows():
        alone = rw.metrics.Measure.read(name).by_group(rows["y"] > 1, scores, rows["group"])
        values = alone.values[~np.isnan(alone.values)]
        assert found["mean"] == pytest.approx(values.mean(), abs=1e-13)
        assert found["standard_error"] == pytest.approx(values.std(ddof=1) / values.size**0.5)
        assert (found["groups"], found["undefined"]) == (values.size, alone.n_undefined)


def test_one_group_has_no_standard_error(client, ranker, rows, whole):
    table = rw.cluster.evaluate(ranker, whole[FACTORS], whole["y"])
    assert table.loc["kendall_tau", "mean"] == ranker.score(rows[FACTORS], rows["y"])
    assert np.isnan(table.loc["kendall_tau", "standard_error"])


def test_a_metric_without_a_value_is_refused(client, ranker, whole):
    with pytest.raises(rw.metrics.UndefinedMetricError, match="auc is undefined in all 60"):
        rw.cluster.evaluate(ranker, whole[FACTORS], whole["y"] * 0, whole["group"], metrics=["auc"])


def test_a_local_frame_is_refused(client, ranker, rows):
    with pytest.raises(ValueError, match="X is a DataFrame, not a Dask DataFrame"):
        rw.cluster.predict(ranker, rows[FACTORS])


@pytest.mark.parametrize("grouped", [True, False])
def test_small_files_that_dask_would_join_keep_their_partitions(
    client, ranker, shuffled_rows, tmp_path, grouped
):
    # Beside a long text, Dask takes the columns that are asked for as small, and joins files.
    rows = shuffled_rows.assign(text="a column that nobody asks for " * 9)
    for place in range(5):
        rows.iloc[place::5].to_parquet(tmp_path / f"part-{place}.parquet")
    frame, here = dd.read_parquet(tmp_path), pd.read_parquet(tmp_path)
    assert frame["group"].optimize().npartitions < frame.npartitions == 5
    groups, own = (frame["group"], here["group"]) if grouped else (None, None)
    found = rw.cluster.rank(ranker, frame[FACTORS], groups)
    assert np.array_equal(found.compute(), ranker.rank(here[FACTORS], own))
    assert found.npartitions == 5


def test_a_row_that_cannot_be_scored_is_told_with_its_partition(client, ranker, whole):
    first = whole.partitions[1].index.compute()[0]
    broken = whole[FACTORS].map_partitions(
        lambda part: part.apply(lambda column: column.mask(part.index == first + 1))
    )
    message = f"in the partition whose first row is {first!r}: Input X contains NaN"
    with pytest.raises(ValueError, match=message):
        rw.cluster.predict(ranker, broken).compute()


def test_groups_of_another_frame_are_refused(client, ranker, whole):
    groups = whole.map_partitions(lambda part: part.set_axis(-1 - part.index))["group"]
    with pytest.raises(ValueError, match="the rows of X and groups have different indexes"):
        rw.cluster.rank(ranker, whole[FACTORS], groups).compute()
