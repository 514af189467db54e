"""Whatever ranks in a model file: pipelines, searches, models without column names."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rankwright as rw
from rankwright.cli import models
from rankwright.cli.models import load_model
from rankwright.reverse import RatingFormula

ROWS = pd.DataFrame(
    {"price": [3.0, 1, 2, 5, 4, 8, 7, 6], "size": [1.0, 3, 2, 2, 5, 1, 4, 4]},
    index=list("ABCDEFGH"),
)
Y = -3 * ROWS["price"] + ROWS["size"]


@pytest.fixture
def table(tmp_path):
    listed = ROWS.assign(rank=Y.rank(ascending=False)).rename_axis("name")
    listed.to_csv(tmp_path / "table.csv")
    (tmp_path / "changes.csv").write_text("change,cost,price,size\nCheaper,3,-1,\nLarger,2,,1\n")


def pipeline():
    return make_pipeline(StandardScaler(), rw.PairwiseRanker())


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("X", [ROWS, ROWS.to_numpy()], ids=["named", "nameless"])
@pytest.mark.parametrize("model", [rw.PairwiseRanker(), pipeline()], ids=["ranker", "pipeline"])
def test_models_of_every_kind_rank_and_are_evaluated(rankwright, model, X):
    rw.save(model.fit(X, Y), "model.rw")
    answer = rankwright("rank", "model.rw", "table.csv", "--json")
    assert answer.code == 0, answer.err
    assert [row["name"] for row in answer.json["ranking"][:2]] == ["B", "C"]
    evaluated = rankwright("evaluate", "model.rw", "table.csv", "--resamples", 10, "--json")
    assert evaluated.code == 0, evaluated.err
    why = rankwright("explain", "model.rw", "table.csv", "--item", "B", "--above", "D", "--json")
    assert why.code == 0, why.err
    assert why.json["difference"] > 0
    assert {row["factor"] for row in why.json["factors"]} == {"price", "size"}
    said = "fitted without column names; it gets, in this order: price, size." in answer.err
    assert said == isinstance(X, np.ndarray)


@pytest.mark.usefixtures("table")
def test_a_model_without_names_can_be_told_its_factors(rankwright):
    rw.save(rw.PairwiseRanker().fit(ROWS[["size", "price"]].to_numpy(), Y), "model.rw")
    options = ["--factors", "size,price", "--json"]
    answer = rankwright("rank", "model.rw", "table.csv", *options)
    assert [row["name"] for row in answer.json["ranking"][:2]] == ["B", "C"]


@pytest.mark.usefixtures("table")
def test_a_model_without_names_refuses_another_number_of_columns(rankwright):
    rw.save(rw.PairwiseRanker().fit(ROWS[["size"]].to_numpy(), Y), "model.rw")
    answer = rankwright("rank", "model.rw", "table.csv")
    assert answer.code == 1
    assert "fitted on 1 column without a name, but there are 2 here (price, size)" in answer.err
    assert "--factors" in answer.err


@pytest.mark.usefixtures("table")
def test_a_model_with_names_takes_no_others(rankwright):
    rw.save(rw.PairwiseRanker().fit(ROWS, Y), "model.rw")
    answer = rankwright("rank", "model.rw", "table.csv", "--factors", "size,price")
    assert answer.code == 1
    assert "model.rw knows its factors: price, size" in answer.err


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("X", [ROWS, ROWS.to_numpy()], ids=["named", "nameless"])
@pytest.mark.parametrize("model", [RatingFormula(), rw.PairwiseRanker()])
def test_plans_follow_formulas_and_linear_rankers(rankwright, model, X):
    rw.save(model.fit(X, Y), "model.rw")
    goal = ["--item", "D", "--changes", "changes.csv", "--frontier", "--json"]
    answer = rankwright("improve", "model.rw", "table.csv", *goal)
    assert answer.code == 0, answer.err
    assert answer.json["plans"][-1]["changes"] == ["Cheaper", "Larger"]


@pytest.mark.usefixtures("table")
def test_plans_need_weights(rankwright):
    rw.save(pipeline().fit(ROWS, Y), "model.rw")
    goal = ["--item", "D", "--changes", "changes.csv", "--frontier"]
    answer = rankwright("improve", "model.rw", "table.csv", *goal)
    assert answer.code == 1
    assert "model.rw (Pipeline) has no weights for the factors; plans need" in answer.err


def test_a_search_is_asked_for_its_factors(monkeypatch, tmp_path):
    search = GridSearchCV(pipeline(), {"pairwiseranker__alpha": [0.1, 1]}, cv=2)
    monkeypatch.setattr(models, "read_model", lambda path, trusted: search.fit(ROWS, Y))
    model = load_model(tmp_path / "search.rw")
    assert model.factors == ["price", "size"]
    assert rw.positions(model.predict(ROWS))[1] == 1


def test_a_model_that_can_not_score_is_named(monkeypatch, tmp_path):
    search = GridSearchCV(pipeline(), {"pairwiseranker__alpha": [0.1, 1]}, cv=2, refit=False)
    search.fit(ROWS, Y)
    monkeypatch.setattr(models, "read_model", lambda path, trusted: search)
    with pytest.raises(ValueError, match=r"search.rw \(GridSearchCV\) can't score items; save"):
        load_model(tmp_path / "search.rw")


@pytest.mark.usefixtures("table")
def test_items_with_gaps_are_refused_with_the_remedy_and_left_out_on_request(rankwright, tmp_path):
    rw.save(rw.PairwiseRanker().fit(ROWS, Y), "model.rw")
    (tmp_path / "gaps.csv").write_text("name,price,size\nA,1,2\nB,,3\nC,4,4\n")
    refused = rankwright("rank", "model.rw", "gaps.csv")
    assert refused.code == 1
    assert refused.err.endswith(
        "Error: some items have missing factors, which this ranker can't take; pass --complete to "
        "leave them out, or --missing to choose another remedy\n"
    )
    answer = rankwright("rank", "model.rw", "gaps.csv", "--complete", "--json")
    assert [row["name"] for row in answer.json["ranking"]] == ["A", "C"]
    assert "1 row left out because a factor is missing: 'B'." in answer.err


@pytest.mark.usefixtures("table")
def test_a_setting_of_the_wrong_kind_is_named(rankwright):
    options = ["--ranker", "pairwise-ranker", "--set", "alpha=much"]
    answer = rankwright("fit", "table.csv", *options)
    assert answer.code == 1
    assert answer.err.endswith("Error: alpha='much'; give a number of at least 0\n")


@pytest.fixture
def grouped(table, tmp_path):
    """Save a formula fitted within two groups, and a table whose groups nobody can guess."""
    groups = np.repeat(["u", "v"], 4)
    rw.save(RatingFormula(top=2, random_state=0).fit(ROWS, Y, groups), tmp_path / "model.rw")
    ROWS.assign(shelf=groups, floor="all").rename_axis("name").to_csv(tmp_path / "items.csv")


ACROSS = "model.rw was fitted within groups, but no group column was found or given"
IMPROVE = ["improve", "model.rw", "items.csv", "--item", "H", "--changes", "changes.csv"]


@pytest.mark.usefixtures("grouped")
@pytest.mark.parametrize("command", [["rank", "model.rw", "items.csv"], [*IMPROVE, "--budget", 3]])
def test_a_ranking_across_the_groups_of_the_fit_is_pointed_out(rankwright, command):
    answer = rankwright(*command)
    assert answer.code == 0, answer.err
    assert ACROSS in answer.err
    assert ACROSS not in rankwright(*command, "--group", "shelf").err


@pytest.mark.usefixtures("grouped")
def test_a_position_across_the_groups_of_the_fit_is_refused(rankwright):
    answer = rankwright(*IMPROVE, "--position", 3)
    assert answer.code == 1
    assert ACROSS in answer.err
    assert "give --group COLUMN" in answer.err
    for column in ("shelf", "floor"):
        assert rankwright(*IMPROVE, "--position", 3, "--group", column).code in (0, 3)


@pytest.mark.usefixtures("table")
def test_a_formula_of_one_group_needs_no_group_column(rankwright):
    rw.save(RatingFormula(top=2, random_state=0).fit(ROWS, Y), "model.rw")
    assert "group" not in rankwright("rank", "model.rw", "table.csv").err


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("model", "known"), [(RatingFormula(), True), (rw.PairwiseRanker(), False)], ids=str
)
@pytest.mark.parametrize(
    "command",
    [("rank",), ("evaluate", "--resamples", 10), ("explain", "--item", "B", "--above", "D")],
    ids=lambda command: command[0],
)
def test_a_factor_in_another_unit_is_named_where_the_model_knows(
    rankwright, model, known, command, tmp_path
):
    name, *options = command
    rw.save(model.fit(ROWS, Y), "model.rw")
    listed = ROWS.assign(price=1000 * ROWS["price"], rank=Y.rank(ascending=False))
    listed.rename_axis("name").to_csv(tmp_path / "cents.csv")
    doubt = "'price' runs from 1000 to 8000 here, from 1 to 8 where the model was fitted"
    assert (doubt in rankwright(name, "model.rw", "cents.csv", *options).err) == known
    assert "another unit?" not in rankwright(name, "model.rw", "table.csv", *options).err
