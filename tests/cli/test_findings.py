"""What the first screen says, at the widths of real terminals."""

from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.cli.findings import show_findings
from rankwright.cli.output import Output
from rankwright.cli.reverse import _two_products
from rankwright.report.given_weights import given_rows
from rankwright.report.proof_words import alike_words, proof_words, range_words
from rankwright.report.rating import rating_report
from rankwright.report.rating.formula import FormulaListing
from rankwright.report.rating.groups import group_weights
from rankwright.report.rating.suspects import list_suspects
from rankwright.report.words import (
    group_words,
    how_well_rows,
    percent,
    place_words,
    trust_words,
)
from rankwright.reverse import RatingFormula, investigate
from rankwright.reverse.questions import judge_weights

LONG = "Citations per faculty member, normalised by field (five years)"


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(1)
    X = rng.integers(10, 100, (40, 4)).astype(float)
    frame = pd.DataFrame(X, columns=["teaching", "research", LONG, "twin"])
    frame["twin"] = 2 * frame["teaching"] + 1
    frame["name"] = [f"The Very Long Name of the University of [b]Town[/b] {i}" for i in range(40)]
    frame["kind"] = np.repeat(["public [red]", "private"], 20)
    score = X[:, :3] @ [3.0, 2.0, 1.0] + 25 * rng.standard_normal(40)
    frame["rank"] = pd.Series(-score).groupby(frame["kind"]).rank().astype(int)
    table = rw.read_table(frame, item="name", target="rank", group="kind")
    formula = RatingFormula(top=3, time_limit=600, random_state=0)
    return investigate(table, formula, each_group=True)


@pytest.mark.parametrize("width", [80, 120, 200])
def test_every_table_is_whole_at_the_width_of_the_terminal(found, width, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    given = dict.fromkeys(found.formula.rating_.factor_names, 1.0)
    judged = judge_weights(
        found.formula.rating_, found.formula.solution_, given, found.weight_ranges
    )
    show_findings(Output(), found, judged)
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= width
    assert "…" not in printed
    words = printed.split()
    for row in found.suspects.head(10).itertuples():
        assert {str(row.modelled), str(row.lost)} <= set(words)
    assert all(f"{value:.1f}" in words for value in found.weights[found.unit])
    assert "[b]Town[/b]" in printed  # what users named is text
    assert "public [red]" in printed


def test_a_wide_terminal_shows_more_columns(found, capsys, monkeypatch):
    headers = {}
    for width in (80, 200):
        monkeypatch.setenv("COLUMNS", str(width))
        show_findings(Output(), found)
        headers[width] = capsys.readouterr().out
    assert "× deviation" in headers[200]
    assert "× deviation" not in headers[80]


def test_factors_that_follow_from_each_other_are_shown_by_their_sum(found):
    (said,) = alike_words(found)
    names = found.table.X.columns
    together = found.weights.loc[["teaching", "twin"], found.unit].sum()
    assert said.startswith("teaching and twin follow from each other")
    assert f"trust their sum, {together:.1f}%" in said
    assert len(names) == 4


def test_weights_of_three_that_follow_from_each_other_have_no_sum(found):
    (one,) = found.alike
    (said,) = alike_words(replace(found, alike=[replace(one, factors=(0, 1, 3), signs=(1, 1, 1))]))
    assert said == (
        "teaching, research and twin follow from each other: other weights for them give the same "
        "order, so single weights say nothing."
    )


def test_shares_of_held_out_products_say_on_how_many_they_rest(found):
    row = how_well_rows(found)[-1][0]
    assert row == f"the {found.alternatives.n_pairs:,} between products left out"
    assert 0 < found.shared.n_products <= 40
    assert f"on {found.shared.n_products} products left out" in group_words(found)[0]
    assert 0 < found.held_out.n_products <= 80  # in two repetitions at most
    assert f"({found.held_out.n_products} products over all folds)" in trust_words(found)[0]


def test_what_was_optimised_stands_beside_the_pairs(found):
    row = next(row for row in how_well_rows(found) if row[0].startswith("optimised"))
    how, formula = found.how_well, found.formula
    assert row[0] == "optimised: top pairs count 10 times"
    assert row[1:3] == (percent(how.formula_objective), percent(how.regression_objective))
    every = formula.every_pair_
    assert how.formula_objective == pytest.approx(float(found.certificate.objective) / every)
    assert how.formula_objective >= how.regression_objective  # it is proved here


def test_only_ranges_that_are_marked_are_explained(found):
    silent = found.weight_ranges.assign(outer_low=0.0, outer_high=100.0)
    point = silent.assign(inner_low=silent["share"], inner_high=silent["share"])
    said = " ".join(proof_words(replace(found, weight_ranges=point)))
    assert "not known" in said
    assert "marked 'found'" not in said
    assert "within the ranges" not in said


def test_a_range_that_says_nothing_is_called_found(found):
    silent = found.weight_ranges.assign(outer_low=0.0, outer_high=100.0)
    seen = silent.assign(inner_low=20.0, inner_high=30.0)
    assert range_words(replace(found, weight_ranges=seen), "research") == "20.0 to 30.0 found"
    point = silent.assign(inner_low=silent["share"], inner_high=silent["share"])
    assert range_words(replace(found, weight_ranges=point), "research") == "not known"


def test_no_end_of_a_range_is_minus_zero(found):
    weights = found.weights.assign(weight=-1.0)
    ranges = found.weight_ranges.assign(outer_low=0.0, outer_high=20.0)
    turned = replace(found, weights=weights, weight_ranges=ranges)
    assert range_words(turned, "research") == "-20.0 to 0.0"


def test_percents_of_weights_in_different_units_are_not_shown(found, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert found.unit == "share"
    show_findings(Output(), found)
    header = next(line for line in capsys.readouterr().out.splitlines() if "as used" in line)
    assert "× deviation" in header
    assert "percent" not in header
    assert "weight, % (factors have different units)" in rating_report(found)


def test_a_product_that_is_not_missed_gains_nothing(found, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    show_findings(Output(), replace(found, suspects=found.suspects.assign(rise_without=-0.25)))
    printed = capsys.readouterr().out
    assert "-0.25" not in printed
    assert "0.0000" in printed


def test_notes_are_wrapped_at_the_width_of_the_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    Output().note("Note: " + "many words " * 20)
    Output().written(Path("a" * 100))
    *note, path = capsys.readouterr().err.splitlines()
    assert max(map(len, note)) <= 80
    assert path == "Wrote " + "a" * 100  # it can be copied


@pytest.mark.parametrize(
    ("share", "written"),
    [(1.0, "100%"), (0.99996, "99.996%"), (0.5, "50.0%"), (0.0, "0%"), (np.nan, "–")],
)
def test_nothing_short_of_all_is_written_as_all(share, written):
    assert percent(share) == written


def test_a_gain_that_is_rounded_away_is_not_called_nothing(found, capsys):
    suspects = found.suspects.assign(rise_without=1e-6)
    show_findings(Output(), replace(found, suspects=suspects))
    assert "< 0.0001" in capsys.readouterr().out


def test_places_that_count_others_are_said_to(found):
    assert place_words(found) == []
    printed = np.array([str(i + 200) for i in range(len(found.table))], dtype=object)
    (said,) = place_words(replace(found, table=replace(found.table, printed=printed)))
    assert said.endswith("those by the formula count the 40 that are.")


def test_the_weights_of_groups_are_all_there_at_eighty_columns(found, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    show_findings(Output(), found)
    printed = capsys.readouterr().out
    header, rows = group_weights(found)
    below = printed.partition("Their weights times ranges")[2]
    assert len(header) == 3  # the four factors go down the page
    assert all(cell in below for row in rows for cell in row[1:])


def test_commands_name_products_whose_names_are_unique(found):
    assert _two_products(found) == tuple(found.ranking.index[:2])
    doubled = found.ranking.rename(index={found.ranking.index[0]: found.ranking.index[25]})
    assert _two_products(replace(found, ranking=doubled)) == tuple(found.ranking.index[1:3])
    same = found.ranking.set_axis(["x"] * len(found.ranking))
    assert _two_products(replace(found, ranking=same)) is None


def test_nothing_is_said_of_ranges_that_are_not_there(found):
    silent = found.weight_ranges.assign(outer_low=-100.0, outer_high=100.0)
    without = replace(
        found,
        weight_ranges=None,
        any_sign_ranges=silent,
        left_out={"weight_ranges": "there was not enough time for it"},
    )
    said = " ".join(proof_words(without))
    assert "There are no ranges of the weights" in said
    assert "these ranges" not in said


def test_ranges_none_of_which_is_proved_are_titled_so(found):
    silent = found.weight_ranges.assign(outer_low=0.0, outer_high=100.0)
    spans = FormulaListing.of(replace(found, weight_ranges=silent)).spans
    assert not any("found" in one for one in spans["range, found"])
    assert "range" not in spans
    assert "range" in FormulaListing.of(found).spans


def test_products_at_the_top_that_were_left_out_are_named_on_the_first_screen(found, capsys):
    gone = "Published at the top, but left out: 'Oxford' (place 1). What is found says nothing."
    cut = replace(found, table=replace(found.table, notes=(*found.table.notes, gone)))
    show_findings(Output(), cut)
    assert gone in " ".join(capsys.readouterr().out.split())
    assert unescape(rating_report(cut)).count(gone) == 2  # beside the verdict, and of the table


def test_products_in_bands_that_do_not_fit_are_listed_as_printed():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.integers(10, 90, (30, 2)), columns=["teaching", "research"])
    score = frame["teaching"] + 2 * frame["research"]
    frame = frame.loc[score.sort_values(ascending=False).index].reset_index(drop=True)
    frame["name"] = [f"U{i}" for i in range(30)]
    frame["rank"] = [*map(str, range(1, 11))] + ["11-20"] * 10 + ["21-30"] * 10
    frame.loc[[12, 27], "rank"] = ["21-30", "11-20"]
    table = rw.read_table(frame, item="name", target="rank")
    odd = investigate(table, RatingFormula(top=3, time_limit=600, random_state=0), checks=False)
    listed = {one.product: one for one in list_suspects(odd, 10)}
    assert listed["U12"].printed == "21-30"
    assert listed["U12"].reason.startswith("published worse than its factors say")


def test_nothing_is_proved_of_ranges_that_are_not_known(found):
    silent = found.weight_ranges.assign(outer_low=0.0, outer_high=100.0)
    point = silent.assign(inner_low=silent["share"], inner_high=silent["share"])
    unknown = replace(found, weight_ranges=point, any_sign_ranges=silent)
    _, *said = proof_words(unknown)
    assert said[0].startswith("How far the weights can go is not known")
    assert not any("proved" in one for one in said[1:])
    assert "range" not in FormulaListing.of(unknown).spans


def test_given_weights_inside_a_range_that_says_nothing_are_not_said_to_be_inside(found):
    rating, solution = found.formula.rating_, found.formula.solution_
    given = dict(zip(rating.factor_names, map(float, solution.own_weights), strict=True))
    silent = found.weight_ranges.assign(outer_low=0.0, outer_high=99.0)
    rows = given_rows(judge_weights(rating, solution, given, silent))
    assert {row[3:] for row in rows} == {("not known", "–")}
