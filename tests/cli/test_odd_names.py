"""Names are text: every command is run on a table full of markup, mathematics and line breaks."""

import html

import pandas as pd
import pytest

import rankwright as rw

NAMES = ["[b]old", "[/b]ack", ":smile:", "$x$ = $y$", "<b>&amp;", "=1+1", "two\nlines", "ä[kg]"]
PRICE, WEIGHT = "price, EUR [/b]", "weight [kg] $x$"
KINDS = ["[b]", "[/b] <i>"]
CHANGES = f'"change",cost,"{PRICE}","{WEIGHT}"\n"[/b] :smile:\n$x$",3,-1,\n"<b>",2,,-1\n'


@pytest.fixture
def table(tmp_path):
    names = [f"{name} {kind}" for kind in "ab" for name in NAMES]
    frame = pd.DataFrame(
        {"name": names, PRICE: [7 * i % 16 for i in range(16)], WEIGHT: [3, 1, 2, 4] * 4}
    )
    frame["kind"] = [KINDS[i // 8] for i in range(16)]
    score = -frame[PRICE] - 4 * frame[WEIGHT]
    frame["rank"] = score.groupby(frame["kind"]).rank(ascending=False)
    frame.to_csv(tmp_path / "odd.csv", index=False)
    (tmp_path / "changes.csv").write_text(CHANGES, encoding="utf-8")
    return frame


@pytest.fixture
def run(rankwright, table):
    """Return a function that runs a command which has to succeed."""

    def succeed(*arguments):
        answer = rankwright(*arguments)
        assert answer.code == 0, answer.err
        return answer

    succeed("fit", "odd.csv", "--ranker", "pairwise-ranker")
    return succeed


def shown(text):
    """Return how the terminal shows a text on one line."""
    return text.replace("\n", "\\n")


def test_fit_and_rank_print_every_name(run, table):
    printed = run("rank", "model.rw", "odd.csv").out
    assert all(shown(name) in printed for name in table["name"])
    assert all(f"{kind} (8 items)" in printed for kind in KINDS)


def test_rank_writes_every_name_and_no_formula(run, table):
    run("rank", "model.rw", "odd.csv", "--out", "ranking.csv")
    written = pd.read_csv("ranking.csv")["name"]
    assert set(written) == {f"'{n}" if n.startswith("=") else n for n in table["name"]}
    run("rank", "model.rw", "odd.csv", "--out", "as-it-is.csv", "--formulas")
    assert set(pd.read_csv("as-it-is.csv")["name"]) == set(table["name"])


def test_explain_prints_names_and_factors(run):
    answer = run("explain", "model.rw", "odd.csv", "--item", "[b]old a", "--above", "[/b]ack a")
    for text in ("[b]old a", "[/b]ack a", PRICE, WEIGHT):
        assert text in answer.out


def test_evaluate_reads_factors_with_commas(run):
    printed = run("evaluate", "model.rw", "odd.csv", "--resamples", 20).out
    assert all(kind in printed for kind in KINDS)


def test_factors_with_commas_can_be_named(rankwright, table):
    options = ["--ranker", "pairwise-ranker", "--factors", f'"{PRICE}", {WEIGHT}']
    assert rankwright("fit", "odd.csv", *options, "--json").json["factors"] == [PRICE, WEIGHT]


def test_factors_that_can_not_be_told_apart_are_refused(rankwright, table):
    answer = rankwright("fit", "odd.csv", "--factors", "a\nb")
    assert answer.code == 1
    assert "put names with commas or line breaks in double quotes" in answer.err


def test_compare_draws_and_prints(run, tmp_path):
    run("compare", "odd.csv", "--ranker", "pairwise-ranker", "--out", "c.svg")
    assert (tmp_path / "c.svg").exists()


def test_improve_prints_and_draws_changes(run, tmp_path):
    goal = ["--item", "ä[kg] a", "--changes", "changes.csv", "--frontier", "--out", "f.svg"]
    printed = run("improve", "model.rw", "odd.csv", *goal).out
    assert "ä[kg] a, one of 8 in its group" in printed
    assert "[/b] :smile:\\n$x$, <b>" in printed


def test_reverse_prints_and_writes_names_as_text(run, tmp_path, table):
    answer = run("reverse", "odd.csv", "--time", 5, "--no-checks", "--top", 3)
    assert PRICE in answer.out
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert html.escape(PRICE) in page
    assert "<b>" not in page.replace("<body>", "")
    assert "<i>" not in page


def test_aggregate_prints_draws_and_writes_items_and_voters(run, tmp_path):
    votes = pd.DataFrame({name: range(1, 9) for name in KINDS}, index=pd.Index(NAMES, name="[i]"))
    votes.to_csv(tmp_path / "votes.csv")
    printed = run("aggregate", "votes.csv", "--out", "v.svg", "--out", "consensus.csv").out
    assert all(shown(name) in printed for name in NAMES)
    assert pd.read_csv("consensus.csv")["item"][5] == "'=1+1"


def test_errors_and_notes_show_what_was_given(rankwright, table):
    answer = rankwright("fit", "odd.csv", "--rank", "[/b] :smile:")
    assert "has no column '[/b] :smile:'" in answer.err
    assert "'weight [kg] $x$'" in answer.err
    answer = rankwright("rank", "[b]model[/b].rw", "odd.csv")
    assert "[b]model[/b].rw" in answer.err


def test_a_file_may_be_named_oddly(run, tmp_path, table):
    table.to_csv(tmp_path / "[b]odd[x].csv", index=False)
    answer = run("rank", "model.rw", "[b]odd[x].csv", "--out", "[b].csv")
    assert "Wrote [b].csv" in answer.err


@pytest.mark.parametrize("name", ["score", "position", "group"])
def test_items_may_be_named_by_a_column_like_those_of_the_result(rankwright, tmp_path, name):
    rows = "\n".join(f"item {i},{i * i},{9 - i}" for i in range(1, 9))
    (tmp_path / "t.csv").write_text(f"{name},size,rank\n{rows}\n")
    rankwright("fit", "t.csv", "--item", name)
    answer = rankwright("rank", "model.rw", "t.csv", "--item", name, "--out", "r.csv", "--json")
    assert answer.code == 0, answer.err
    assert "item 3" in str(answer.json["ranking"])


def test_control_characters_do_not_reach_the_terminal():
    from rankwright.cli.render import cell, sentence

    assert cell("a\x1b[31mred\r\n\u202e").plain == r"a\x1b[31mred\r\n\u202e"
    assert sentence("one\ntwo\x07").plain == "one\ntwo\\x07"


def test_quiet_prints_errors_only(rankwright, tmp_path, monkeypatch):
    import warnings

    (tmp_path / "t.csv").write_text("name,size,rank\nA,1,3\nB,2,2\nC,3,1\n")
    fit = rw.ExpectedRankRegressor.fit

    def warning_fit(self, *args, **options):
        warnings.warn("something [b] to know", UserWarning, stacklevel=2)
        return fit(self, *args, **options)

    monkeypatch.setattr(rw.ExpectedRankRegressor, "fit", warning_fit)
    assert "Note: something [b] to know" in rankwright("fit", "t.csv").err
    quiet = rankwright("fit", "t.csv", "--quiet", "--force")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")
    assert "Error: " in rankwright("fit", "no.csv", "--quiet").err
