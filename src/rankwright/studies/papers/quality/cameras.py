"""Section 9: the cheapest way to a better camera, Tables 9 to 16 and Figures 3 to 5."""

from typing import Any, Literal

import numpy as np
import pandas as pd

import rankwright as rw
from rankwright.studies.page import Page, Verdict
from rankwright.studies.published_numbers import published
from rankwright.studies.results import Results

__all__ = ["write_cameras"]

HALF_DIGIT = 0.0005  # the paper prints weights and gains with three digits


def write_cameras(results: Results, page: Page) -> None:
    """Add section 9 to the page."""
    example = rw.datasets.load_cameras()
    page.text(
        "## The cheapest way up (section 9)\n\n"
        "`load_cameras` holds Tables 9 to 14: ten factors and their weights, two cameras, twelve "
        "changes and what excludes what. `Planner` counts in the decimals as printed. The paper "
        "computed with weights of more digits than it prints: a gain may differ by what half a "
        "unit of each weight's last digit makes of it, `rounding` below."
    )
    rounding = _worth(example, page)
    _scores(example, page)
    _budgets(results.frame("budgets"), rounding, page)
    _targets(results.frame("targets"), rounding, page)
    _frontier(results, page)


def _worth(example: rw.datasets.CameraExample, page: Page) -> pd.Series:
    """Show what each change is worth; return how far rounded weights may move that."""
    effects = example.changes.drop(columns="cost")
    excluded = {
        name: sorted({other for group in example.conflicts if name in group for other in group})
        for name in effects.index
    }
    rounding: pd.Series = HALF_DIGIT * (effects.abs().sum(axis=1) + 1)
    table = pd.DataFrame(
        {
            "change": effects.index,
            "cost": example.changes["cost"].to_numpy(),
            "gain": (effects @ example.factors["weight"]).to_numpy(),
            "rounding": rounding.to_numpy(),
            "excludes": [
                ", ".join(other for other in excluded[name] if other != name)
                for name in effects.index
            ],
        }
    )
    page.table("changes", table, "Tables 10 and 12 to 14: what each change costs and adds")
    return rounding


def _scores(example: rw.datasets.CameraExample, page: Page) -> None:
    printed = published("reverse-engineering-table11").set_index("camera")["score"]
    scores = (example.cameras @ example.factors["weight"]).loc[printed.index]
    rounding = HALF_DIGIT * example.cameras.abs().sum(axis=1).loc[printed.index]
    table = pd.DataFrame(
        {
            "ours": scores,
            "published": printed,
            "difference": scores - printed,
            "rounding": rounding + 10 * HALF_DIGIT,
        }
    )
    inside = table["difference"].abs() <= table["rounding"]
    table = table.assign(inside=inside).reset_index()
    page.table("table11", table, "Table 11: the scores of two cameras")


def _budgets(frame: pd.DataFrame, rounding: pd.Series, page: Page) -> None:
    ours = _plan_table(frame, "budget")
    printed = published("reverse-engineering-table15")
    table = _side_by_side(ours, printed, ["budget"], rounding)
    # More money can't buy less: a row below an earlier one is wrong by itself.
    table["paper errs"] = table["published gain"] < table["published gain"].cummax()
    page.table("table15", table, "Table 15: the best plan for each budget", shown=_shown(table))
    page.table("budgets", ours, "The same up to the dearest plan", shown=ours.iloc[9::5])
    wrong = table[~table["same"]]
    single = frame["budget"].value_counts().eq(1).loc[printed["budget"]].all()
    page.claim(
        "Table 15: the best changes for budgets of 2 to 10",
        Verdict.of(float(table["same"].mean())),
        f"{int(table['same'].sum())} of {len(table)} rows are the same, each with "
        f"{'one optimum' if single else 'several optima'}. "
        + " ".join(
            f"Budget {row.budget}: {row.change} gains {row.gain:.3f} for {row.cost:g}, the "
            f"published {row.published_change} only {row.published_gain:.3f} for "
            f"{row.published_cost:g}"
            + (
                ", less than the paper's own row above it: the paper errs."
                if row.paper_errs
                else "."
            )
            for row in wrong.rename(columns=lambda name: name.replace(" ", "_")).itertuples()
        ),
    )


def _targets(frame: pd.DataFrame, rounding: pd.Series, page: Page) -> None:
    ours = _plan_table(frame, "target")
    printed = published("reverse-engineering-table16")
    # Matched by their changes too: a target may have several cheapest plans.
    keyed = printed.assign(plan=printed["change"])
    known = ours[ours["target"].isin(printed["target"])].assign(plan=lambda plans: plans["change"])
    table = _side_by_side(known, keyed, ["target", "plan"], rounding, how="outer")
    table = table.drop(columns="plan")
    page.table("table16", table, "Table 16: all cheapest plans for each gain", shown=_shown(table))
    page.table("targets", ours, "The same up to the largest gain", shown=ours[len(table) :])
    optima = ours["target"].value_counts()
    page.claim(
        "Table 16: all cheapest changes for gains of 1 to 7",
        Verdict.of(float(table["same"].mean())),
        f"{int(table['same'].sum())} of {len(table)} plans are the same, no plan is missing or "
        f"added in {int((table['same'].groupby(table['target']).all()).sum())} of "
        f"{printed['target'].nunique()} rows; a gain of 2 has {optima[2]} optima.",
    )


def _plan_table(frame: pd.DataFrame, ask: str) -> pd.DataFrame:
    table = frame.assign(change=frame["changes"].map(" + ".join))
    return table[[ask, "change", "gain", "cost", "optimal"]].rename(columns={"optimal": "proved"})


def _side_by_side(
    ours: pd.DataFrame,
    printed: pd.DataFrame,
    on: list[str],
    rounding: pd.Series,
    how: Literal["left", "outer"] = "left",
) -> pd.DataFrame:
    """Put plans beside the published ones; the same are those that differ by rounding alone."""
    printed = printed.rename(
        columns={name: f"published {name}" for name in ("change", "gain", "cost")}
    )
    table = printed.merge(ours, on=on, how=how)
    difference = table["gain"] - table["published gain"]
    allowed = table["published change"].map(rounding)
    same = (
        (table["change"] == table["published change"])
        & (table["cost"] == table["published cost"])
        & (difference.abs() <= allowed + 1e-9)
    )
    columns = ["change", "gain", "cost", "published change", "published gain", "published cost"]
    return table[[*on, *columns]].assign(difference=difference, rounding=allowed, same=same)


def _shown(table: pd.DataFrame) -> pd.DataFrame:
    """Return plans beside the published ones with headings as narrow as their columns."""
    return table.rename(columns=lambda name: str(name).replace("published", "paper's"))


def _frontier(results: Results, page: Page) -> None:
    plans = results.frame("plans")
    cloud = plans[plans["which"] == "all"]
    frontier = plans[plans["which"] == "frontier"]
    ordered = cloud.sort_values(["cost", "gain"], ascending=[True, False])
    best_before = ordered["gain"].cummax().shift(fill_value=float("-inf"))
    edge = ordered[ordered["gain"] > best_before][["cost", "gain"]].to_numpy().tolist()
    found = frontier[["cost", "gain"]].to_numpy().tolist()
    distinct, dearest = cloud["changes"].map(tuple).nunique(), cloud["cost"].max()
    page.claim(
        "Figure 3: 512 feasible plans with costs up to 35, and a frontier found without them",
        Verdict.of(float(np.mean([distinct == 512, dearest == 35, found == edge]))),
        f"{distinct} plans, the dearest for {dearest:g}; `Planner.frontier` returns "
        f"{len(found)} efficient plans, "
        f"{'exactly the edge' if found == edge else 'not the edge'} of the cloud of all plans.",
    )
    budgets, targets = results.frame("budgets"), results.frame("targets")
    best = _drawn(budgets[budgets["budget"] == 7])
    cheapest = _drawn(targets[targets["target"] == 2])
    drawn, behind = _drawn(frontier), _drawn(cloud)
    ax = rw.plots.plot_frontier(drawn, cloud=behind)
    page.figure("figure3", ax, "Figure 3: all plans and the frontier")
    ax = rw.plots.plot_frontier(drawn, cloud=behind, marked=best, budget=7)
    page.figure("figure4", ax, "Figure 4: the best plan for a budget of 7")
    ax = rw.plots.plot_frontier(drawn, cloud=behind, marked=cheapest, gain=2)
    page.figure("figure5", ax, "Figure 5: the cheapest plans for a gain of 2")


def _drawn(plans: pd.DataFrame) -> list[Any]:
    return list(plans.assign(position=None).itertuples())
