"""Which claims about pairwise and pointwise ranking held, and by which tests."""

from collections.abc import Sequence

import pandas as pd

from rankwright.studies.page import Page, Verdict
from rankwright.studies.papers.hotels.lists import neighbours_in_order
from rankwright.studies.published_numbers import published
from rankwright.studies.significance import paired_tests, trend_tests

__all__ = [
    "CELL",
    "SCENARIOS",
    "against_uniform",
    "by_method",
    "cell_means",
    "hypothesis_tests",
    "judge",
    "published_means",
    "votes",
    "world_means",
]

SCENARIOS = ["uniform", "top_hotels", "two_groups"]
CELL = ["scenario", "mean_length", "spread"]
AT_RANDOM = 0.1  # a Kendall tau below which an order is called almost random


def by_method(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each replication, with a column for each method and their gap."""
    named = [column for column in frame.columns if column not in ("method", "tau")]
    wide = frame.pivot(index=named, columns="method", values="tau").reset_index()
    wide.columns.name = None
    wide["gap"] = wide["pairwise"] - wide["pointwise"]
    return in_order(wide if "spread" in wide else wide.assign(spread=0))


def in_order(cells: pd.DataFrame) -> pd.DataFrame:
    """Sort by scenario, in the paper's order."""
    return cells.sort_values(
        "scenario", key=lambda names: names.map(SCENARIOS.index), kind="stable"
    )


def published_means(table: pd.DataFrame) -> pd.DataFrame:
    """Return the published means of the cells that were measured, a column for each approach."""
    paper = published("pairwise-vs-pointwise-table1")
    wide = paper.pivot(index=CELL, columns="approach", values="kendall_tau").reset_index()
    return in_order(wide.merge(table[CELL].drop_duplicates(), on=CELL))


def against_uniform(table: pd.DataFrame, on: Sequence[str]) -> pd.DataFrame:
    """Pair what biased samples gave with what uniform ones gave, in columns ``_fair``."""
    fair = table[table["scenario"] == "uniform"].drop(columns="scenario")
    biased = table[table["scenario"] != "uniform"]
    return biased.merge(fair, on=list(on), suffixes=("", "_fair"))


def hypothesis_tests(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Test each hypothesis cell by cell; a sign of 1 is for it, -1 against it."""
    paired = against_uniform(table, ["mean_length", "spread", "replication"])
    paired["extra"] = paired["gap"] - paired["gap_fair"]
    lengths = table.groupby(["scenario", "spread"])["mean_length"].transform("nunique")
    return {
        "H1": paired_tests(table, CELL, "gap"),
        "H2": trend_tests(table[lengths > 1], ["scenario", "spread"], "mean_length", "pointwise"),
        "H3": paired_tests(paired, CELL, "extra"),
    }


def world_means(worlds: pd.DataFrame) -> pd.DataFrame:
    """Return for each world, scenario and length the mean tau of both approaches."""
    grouped = worlds.groupby(["scenario", "mean_length", "world"], sort=False)
    return grouped[["pairwise", "pointwise", "gap"]].mean().reset_index()


def judge(table: pd.DataFrame, paper: pd.DataFrame, worlds: pd.DataFrame, page: Page) -> None:
    """Say which claims held."""
    tests = hypothesis_tests(table)
    judge_superiority(tests["H1"], paper, worlds, page)
    page.claim(
        "H2: pointwise ranking improves with the length K of the rankings",
        verdict(tests["H2"], tests["H2"]["sign"] > 0),
        f"Its tau rises with K {votes(tests['H2'], 'columns of the table')}.",
    )
    judge_spread(table, page)
    judge_bias(tests["H3"], paper, worlds, page)
    judge_randomness(table, paper, page)
    judge_uniform(table, page)
    judge_stability(table, paper, page)


def verdict(tests: pd.DataFrame, right: "pd.Series[bool]") -> Verdict:
    """Judge by the tests that were right; too few replications decide nothing."""
    return Verdict.of(right.mean()) if tests["sign"].any() else Verdict.UNTESTED


def judge_superiority(
    tests: pd.DataFrame, paper: pd.DataFrame, worlds: pd.DataFrame, page: Page
) -> None:
    """H1."""
    ahead = (paper["pairwise"] > paper["pointwise"]).sum()
    why = (
        f"Pairwise is ahead {votes(tests)}. In the published table its mean is ahead in {ahead} "
        f"of {len(paper)} cells."
    )
    behind = tests[tests["sign"] < 0]
    if len(behind):
        elsewhere = worlds.merge(behind[["scenario", "mean_length"]].drop_duplicates())
        why += (
            f" It is behind for {where(behind)}. This depends on the generator and on the draw: "
            "of hotels at most three places apart, which these samples compare, the index "
            f"without its noise orders only {neighbours_in_order():.0%} correctly; and in other "
            f"draws of the cities pairwise is ahead there in {(elsewhere['gap'] > 0).sum()} of "
            f"{len(elsewhere)} cases."
        )
    page.claim(
        "H1: pairwise ranking is at least as good as pointwise ranking",
        verdict(tests, tests["sign"] >= 0),
        why,
    )


def judge_spread(table: pd.DataFrame, page: Page) -> None:
    """H2, second part."""
    spreads = table.groupby(["scenario", "mean_length"])["spread"].transform("nunique")
    tests = trend_tests(table[spreads > 1], ["scenario", "mean_length"], "spread", "pointwise")
    page.claim(
        "H2: for the spread d of the lengths, pointwise ranking shows no clear trend",
        Verdict.of((tests["sign"] == 0).mean()),
        f"With d its tau rises {votes(tests, 'rows of the table')}. The conjecture was that it "
        "falls.",
    )


def judge_bias(tests: pd.DataFrame, paper: pd.DataFrame, worlds: pd.DataFrame, page: Page) -> None:
    """H3, with what the published means themselves say about it."""
    theirs = against_uniform(paper, ["mean_length", "spread"])
    drop = {name: theirs[f"{name}_fair"] - theirs[name] for name in ("pairwise", "pointwise")}
    exceptions = theirs[drop["pointwise"] <= drop["pairwise"]]
    lowest = theirs[theirs["pairwise"] == theirs["pairwise"].min()]
    best = theirs[theirs["pointwise"] == theirs["pointwise"].max()]
    elsewhere = against_uniform(worlds, ["mean_length", "world"])
    more = elsewhere["gap"] > elsewhere["gap_fair"]
    page.claim(
        "H3: biased samples harm pointwise ranking more than pairwise ranking",
        verdict(tests, tests["sign"] > 0),
        f"Compared with uniform samples, pointwise loses more {votes(tests)}{other_way(tests)}. "
        f"In other draws of the cities it loses more in {more.sum()} of {len(more)} cases. The "
        "published means qualify the claim themselves: pairwise loses as much or more in "
        f"{len(exceptions)} of {len(theirs)} cells ({where(exceptions) or 'none'}) and falls to "
        f"{theirs['pairwise'].min():.2f} ({where(lowest)}), and pointwise still reaches "
        f"{theirs['pointwise'].max():.2f} ({where(best)}).",
    )


def judge_randomness(table: pd.DataFrame, paper: pd.DataFrame, page: Page) -> None:
    """Part of the paper's third conclusion."""
    low, low_published = (
        means.loc[means["scenario"] != "uniform", "pointwise"] < AT_RANDOM
        for means in (cell_means(table), paper)
    )
    page.claim(
        "Under biased samples pointwise ranking predicts almost at random",
        Verdict.of(low.mean()),
        f"Its mean tau is below {AT_RANDOM} in {low.sum()} of {len(low)} biased cells here, and "
        f"in {low_published.sum()} of {len(low_published)} published ones.",
    )


def judge_uniform(table: pd.DataFrame, page: Page) -> None:
    """Part of the paper's third conclusion."""
    paired = against_uniform(table, ["mean_length", "spread", "replication"])
    losses = pd.concat(
        paired[CELL].assign(method=name, loss=paired[f"{name}_fair"] - paired[name])
        for name in ("pairwise", "pointwise")
    )
    tests = paired_tests(losses, ["method", *CELL], "loss")
    page.claim(
        "Both approaches do best with uniform samples",
        verdict(tests, tests["sign"] > 0),
        f"Over both approaches, uniform samples are ahead {votes(tests)}{other_way(tests)}.",
    )


def judge_stability(table: pd.DataFrame, paper: pd.DataFrame, page: Page) -> None:
    """Part of the paper's first conclusion."""
    means = cell_means(table)
    calmer = width(means, "pairwise") < width(means, "pointwise")
    page.claim(
        "Pairwise ranking is stable across all settings, pointwise ranking much less so",
        Verdict.of(calmer.mean()),
        f"The means of pairwise lie in {extent(means, 'pairwise')}, those of pointwise in "
        f"{extent(means, 'pointwise')}; published: {extent(paper, 'pairwise')} and "
        f"{extent(paper, 'pointwise')}. Pairwise has the narrower range in {calmer.sum()} of "
        f"{len(calmer)} scenarios.",
    )


def cell_means(table: pd.DataFrame) -> pd.DataFrame:
    """Return the mean tau of both approaches in each cell."""
    return table.groupby(CELL, sort=False)[["pairwise", "pointwise"]].mean().reset_index()


def votes(tests: pd.DataFrame, what: str = "cells") -> str:
    """Say how many tests are for, undecided and against."""
    signs = tests["sign"]
    return (
        f"in {(signs > 0).sum()} of {len(signs)} {what} (undecided in {(signs == 0).sum()}, the "
        f"other way in {(signs < 0).sum()})"
    )


def other_way(tests: pd.DataFrame) -> str:
    """Say where tests are against."""
    found = tests[tests["sign"] < 0]
    return f"; the other way for {where(found)}" if len(found) else ""


def where(cells: pd.DataFrame) -> str:
    """Name the scenarios and lengths of some cells."""
    return "; ".join(
        f"{str(scenario).replace('_', ' ')}, K = "
        + ", ".join(str(length) for length in sorted(set(part["mean_length"])))
        for scenario, part in cells.groupby("scenario", sort=False)
    )


def width(means: pd.DataFrame, method: str) -> pd.Series:
    """Return in each scenario how far the means of a method lie apart."""
    grouped = means.groupby("scenario", sort=False)[method]
    return grouped.max() - grouped.min()


def extent(means: pd.DataFrame, method: str) -> str:
    """Name the smallest and the largest mean of a method."""
    return f"{means[method].min():.2f} to {means[method].max():.2f}"
