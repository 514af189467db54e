import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.exchange import parquet
from rankwright.exchange.parquet import rank_parquet

pytest.importorskip("pyarrow", reason="needs pyarrow")


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(parquet, "BATCH_ROWS", 7)


@pytest.fixture(scope="module")
def ranker():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [0.0, 1.0, 0.5]})
    return rw.LeastSquaresRanker().fit(frame, [1, 2, 3])


def items(sizes, seed=0):
    """Return groups of these sizes, one after the other, with ties among their rows."""
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    labels = np.repeat([f"g{i}" for i in range(len(sizes))], sizes)
    values = {"a": rng.integers(0, 4, n) * 1.0, "b": rng.integers(0, 2, n) * 1.0}
    return pd.DataFrame({"name": [f"item {i}" for i in range(n)], **values, "list": labels})


@pytest.mark.parametrize("sizes", [[1], [5, 3], [30], [7, 7, 7], [1, 20, 1, 6, 15], [3] * 20])
@pytest.mark.parametrize("group", [None, "list"])
def test_batches_give_the_ranking_of_the_whole_table(ranker, tmp_path, sizes, group):
    frame = items(sizes)
    frame.to_parquet(tmp_path / "items.parquet")
    found = rank_parquet(
        ranker, tmp_path / "items.parquet", tmp_path / "ranked.parquet",
        factors=["a", "b"], group=group,
    )  # fmt: skip
    assert (found.rows, found.groups) == (len(frame), len(sizes) if group else None)
    written = pd.read_parquet(tmp_path / "ranked.parquet")
    X = frame[["a", "b"]]
    assert written.columns.tolist() == ["name", "list", "position", "score"]
    assert written["name"].tolist() == frame["name"].tolist()
    np.testing.assert_array_equal(written["score"], ranker.predict(X))
    expected = ranker.rank(X, None if group is None else frame["list"])
    np.testing.assert_array_equal(written["position"], expected)


@pytest.mark.parametrize("labels", ["aabbaa", "aaaaaaaabbbbbbbbaaa"])
def test_groups_whose_rows_are_scattered_are_refused(ranker, tmp_path, labels):
    frame = items([len(labels)]).assign(list=list(labels))
    frame.to_parquet(tmp_path / "items.parquet")
    (tmp_path / "ranked.parquet").write_bytes(b"before")
    with pytest.raises(ValueError, match="the rows of group 'a' do not stand together; sort"):
        rank_parquet(
            ranker, tmp_path / "items.parquet", tmp_path / "ranked.parquet",
            factors=["a", "b"], group="list",
        )  # fmt: skip
    assert (tmp_path / "ranked.parquet").read_bytes() == b"before"


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (items([4]).drop(columns="b"), "has no column 'b'; it has name, a, list"),
        (items([4]).assign(score=1.0), "has a column 'score' already; rename it"),
        (items([9]).assign(a=[1.0] * 8 + [np.nan]), "items.parquet, rows 8 to 9: .*NaN"),
    ],
)
def test_what_can_not_be_ranked_is_named(ranker, tmp_path, frame, message):
    frame.to_parquet(tmp_path / "items.parquet")
    with pytest.raises(ValueError, match=message):
        rank_parquet(
            ranker, tmp_path / "items.parquet", tmp_path / "out.parquet", factors=["a", "b"]
        )
    assert not (tmp_path / "out.parquet").exists()
