import pytest

import rankwright as rw

GAMES = "model_a,model_b,winner\n" + "".join(
    f"{row}\n"
    for row in ["red,[blue],model_a", "red,[blue],tie", "[blue],red,model_a", "[blue],=green,tie",
                "=green,red,model_a", "red,=green,model_a", "=green,[blue],"]
)  # fmt: skip


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(GAMES)
    return path


def test_the_columns_of_battles_are_guessed_and_said(rankwright, games):
    answer = rankwright("leaderboard", games)
    assert answer.code == 0, answer.err
    assert "Battles are between 'model_a' and 'model_b'" in answer.err
    assert "Left out: 1 battle without an outcome." in answer.err
    assert "[blue]" in answer.out
    assert "3 of 3 items may be the best" in answer.out


def test_columns_may_be_named(rankwright, tmp_path):
    (tmp_path / "g.csv").write_text("p,q,who,n\nx,y,x,3\ny,x,y,2\nx,y,draw,1\n")
    options = ("--left", "p", "--right", "q", "--outcome", "who", "--counts", "n")
    result = rankwright("leaderboard", "g.csv", *options, "--json").json
    assert result["model"] == "davidson"
    assert result["n_comparisons"] == 6
    assert [row["item"] for row in result["leaderboard"]] == ["x", "y"]


def test_report_result_model_and_picture_are_written(rankwright, games, tmp_path):
    names = ["board.html", "board.png", "ranks.csv"]
    asked = [part for name in names for part in ("--out", name)]
    answer = rankwright("leaderboard", games, *asked)
    assert answer.code == 0, answer.err
    assert (tmp_path / "board.png").stat().st_size > 1000
    assert (tmp_path / "board.json").exists()
    assert rw.load(tmp_path / "board.rw").items == ["=green", "[blue]", "red"]
    again = rankwright("leaderboard", games, "--out", "board.html")
    assert "pass --force" in again.err


def test_scores_of_tasks_are_ranked(rankwright, tmp_path):
    (tmp_path / "s.csv").write_text("model,math,code\nA,1,2\nB,2,3\nC,3,5\n")
    result = rankwright("leaderboard", "s.csv", "--smaller-is-better", "--json").json
    assert [row["item"] for row in result["leaderboard"]] == ["A", "B", "C"]
    assert result["model"] == "mean_score"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("a,b,winner\nx,x,a\n", (), "row 2 compares 'x' with itself"),
        ("a,b,winner\nx,y,a\nx,,a\n", (), "row 3 lacks the name of an item"),
        ("a,b,winner\nx,y,a\nx,y,maybe\n", (), "not understood: 'maybe' (the first in row 3)"),
        ("a,b,winner,l\nx,y,a,?\nx,y,a,m\n", ("--context", "l"), "'l' holds 'm' in row 3"),
        ("first,second,third\nx,y,z\nx,y,x\n", (), "the ballot in row 3 lists 'x' twice"),
        ("model,t,u\nx,1,2\ny,2,low\n", ("--task", "u"), "'u' holds 'low' in row 3"),
        ("a,b,winner,n\nx,y,a,-1\n", ("--counts", "n"), "'n' is '-1' in row 2"),
        ("a,b,day\nx,y,Monday\n", (), "looks like an outcome"),
        ("a,b,winner\nx,y,a\n", ("--alpha", "-1"), "alpha=-1"),
    ],
)
def test_a_wrong_table_is_named(rankwright, tmp_path, text, options, message):
    (tmp_path / "g.csv").write_text(text)
    answer = rankwright("leaderboard", "g.csv", *options)
    assert answer.code == 1
    assert message in answer.err


def test_strengths_may_be_made_of_a_table_of_features(rankwright, games, tmp_path):
    (tmp_path / "f.csv").write_text("item,size\nred,3\n[blue],2\n=green,1\n")
    rows = rankwright("leaderboard", games, "--features", "f.csv", "--json").json
    assert "size" in [row["covariate"] for row in rows["effects"]]
    strength = {row["item"]: row["strength"] for row in rows["leaderboard"]}
    assert strength["red"] + strength["=green"] == pytest.approx(2 * strength["[blue]"])


def test_an_item_without_features_is_named(rankwright, games, tmp_path):
    (tmp_path / "f.csv").write_text("item,size\nred,3\n[blue],2\n")
    answer = rankwright("leaderboard", games, "--features", "f.csv")
    assert answer.code == 1
    assert "no row for '=green'; its index (the first column of --features)" in answer.err
