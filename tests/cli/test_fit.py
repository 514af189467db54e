import warnings

import pandas as pd
import pytest

import rankwright as rw


def test_a_model_is_fitted_saved_and_ranks(rankwright, cameras):
    answer = rankwright("fit", cameras, "--out", "model.rw")
    assert answer.code == 0
    assert "Kendall's tau-b on the same items: 0.8" in answer.out
    assert "Guessed: Groups are read from 'type'" in answer.err
    ranked = rankwright("rank", "model.rw", cameras, "--out", "ranking.csv", "--top", 2)
    assert ranked.code == 0
    assert "compact (45 items)" in ranked.out
    written = pd.read_csv("ranking.csv")
    assert written.columns.tolist() == ["name", "group", "position", "score"]
    assert written.groupby("group")["position"].min().eq(1).all()


def test_the_model_is_the_one_that_python_fits(rankwright, cameras, ratings):
    rankwright("fit", cameras)
    own = rw.ExpectedRankRegressor().fit(ratings.X, ratings.y, ratings.groups)
    assert rw.load("model.rw").predict(ratings.X) == pytest.approx(own.predict(ratings.X))


def test_machines_get_one_object(rankwright, cameras):
    answer = rankwright("fit", cameras, "--json", "--quiet")
    assert answer.json["training_tau"] == pytest.approx(0.806, abs=0.01)
    ranking = rankwright("rank", "model.rw", cameras, "--json").json["ranking"]
    assert set(ranking[0]) == {"name", "group", "position", "score"}


def test_quiet_prints_nothing(rankwright, cameras):
    answer = rankwright("fit", cameras, "--quiet")
    assert (answer.code, answer.out, answer.err) == (0, "", "")


def test_nothing_is_overwritten_without_force(rankwright, cameras, tmp_path):
    (tmp_path / "model.rw").write_text("precious")
    refused = rankwright("fit", cameras)
    assert refused.code == 1
    assert "model.rw exists; pass --force" in refused.err
    assert (tmp_path / "model.rw").read_text() == "precious"
    assert rankwright("fit", cameras, "--force").code == 0


def test_a_folder_that_does_not_exist_is_named_before_the_work_begins(rankwright, cameras):
    answer = rankwright("fit", cameras, "--out", "nowhere/model.rw")
    assert answer.code == 1
    assert "there is no folder" in answer.err


def test_a_model_is_not_called_a_picture(rankwright, cameras, tmp_path):
    answer = rankwright("fit", cameras, "--out", "model.png")
    assert answer.code == 1
    assert "call its file model.rw" in " ".join(answer.err.split())
    assert not (tmp_path / "model.png").exists()


def test_factors_can_be_chosen(rankwright, cameras):
    answer = rankwright("fit", cameras, "--factors", "photo_quality, weight", "--json")
    assert answer.json["factors"] == ["photo_quality", "weight"]


def test_rank_and_score_exclude_each_other(rankwright, cameras):
    answer = rankwright("fit", cameras, "--rank", "rank", "--score", "price")
    assert answer.code == 1
    assert "give only one of them" in answer.err


def test_a_table_to_rank_that_lacks_a_factor_is_named(rankwright, cameras, tmp_path):
    rankwright("fit", cameras)
    pd.read_csv(cameras).drop(columns="weight").to_csv(tmp_path / "new.csv", index=False)
    answer = rankwright("rank", "model.rw", "new.csv")
    assert answer.code == 1
    assert "new.csv has no column 'weight'" in answer.err


def test_a_file_that_is_no_model_is_named(rankwright, cameras):
    answer = rankwright("rank", cameras, cameras)
    assert answer.code == 1
    assert "cameras.csv is not a rankwright model file" in answer.err


def test_the_rankers_are_listed(rankwright):
    assert "expected-rank-regressor" in rankwright("rankers").out
    assert "regressor  None" in rankwright("rankers", "expected-rank-regressor").out
    assert "regressor" in rankwright("rankers", "--json").json["rankers"]["expected-rank-regressor"]
    assert rankwright("rankers", "forst").code == 1


def test_a_warning_is_a_note_and_said_once(rankwright, cameras, monkeypatch):
    fit = rw.ExpectedRankRegressor.fit

    def warn(self, *args, **options):
        for _ in range(2):
            warnings.warn("this may be slow\nsee elsewhere", UserWarning, stacklevel=1)
        return fit(self, *args, **options)

    monkeypatch.setattr(rw.ExpectedRankRegressor, "fit", warn)
    errors = rankwright("fit", cameras).err
    assert errors.count("Note: this may be slow\n") == 1
    assert "see elsewhere" not in errors


def test_a_parquet_file_is_ranked_batch_by_batch(rankwright, cameras, ratings, tmp_path):
    pytest.importorskip("pyarrow", reason="needs pyarrow")
    import pandas as pd

    rankwright("fit", cameras)
    table = ratings.table.sort_values("type")
    table.to_parquet(tmp_path / "items.parquet")
    answer = rankwright(
        "rank", "model.rw", "items.parquet", "--group", "type", "--out", "ranked.parquet"
    )
    assert answer.code == 0, answer.err
    assert f"{len(table):,} rows of 5 groups ranked" in answer.out
    written = pd.read_parquet(tmp_path / "ranked.parquet")
    assert written["name"].tolist() == table["name"].tolist()
    assert written.groupby("type")["position"].min().eq(1).all()
    again = rankwright("rank", "model.rw", "items.parquet", "--out", "ranked.parquet")
    assert "ranked.parquet exists; pass --force" in again.err
