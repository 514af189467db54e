"""Published and reproduced ranks, and what a change of a factor does to them."""

from collections.abc import Iterator
from numbers import Integral

import pandas as pd

from rankwright.plots import plot_slope
from rankwright.report.figures import inline_svg
from rankwright.report.page import details, html_table, paragraph
from rankwright.report.words import moved_words
from rankwright.reverse import Investigation

__all__ = ["ranking_parts", "what_if_parts"]

OPEN_GROUPS, MOST_GROUPS, MOST_ROWS = 3, 10, 60  # slope charts: open, at all, and their rows


def ranking_parts(found: Investigation) -> Iterator[str]:
    """Yield a slope chart for each group: who leaves the published place."""
    moved = found.ranking[found.ranking["moved"] != 0]
    yield paragraph(moved_words(found))
    if not moved.empty:
        yield paragraph(
            "Marks show how many places a product moves up (▲) or down (▼) from its published "
            "place, tie or band."
        )
    groups = list(found.ranking.groupby("group", sort=False))
    disagreeing = list(dict.fromkeys(moved["group"]))[:OPEN_GROUPS]
    for number, (label, listed) in enumerate(groups[:MOST_GROUPS]):
        yield _slope(found, str(label), listed, f"slope{number}", shown=label in disagreeing)
    if len(groups) > MOST_GROUPS:
        yield paragraph(f"The other {len(groups) - MOST_GROUPS:,} groups are in the JSON result.")


def _slope(
    found: Investigation, label: str, listed: pd.DataFrame, name: str, *, shown: bool
) -> str:
    top = found.formula.top
    drawn = listed.head(MOST_ROWS)
    ax = plot_slope(
        drawn["published"],
        drawn["reproduced"],
        [str(name) for name in drawn.index],
        printed=drawn["printed"].tolist() if found.table.target_is == "rank" else None,
        moved=drawn["moved"],
        top=int(top) if isinstance(top, Integral) else None,
    )
    changed = int((listed["moved"] != 0).sum())
    svg = inline_svg(ax, name, f"Positions in {label}")
    part = f", the first {MOST_ROWS} shown" if len(listed) > MOST_ROWS else ""
    summary = f"{label}: {len(listed):,} products, {changed:,} moved{part}"
    return details(summary, f"<figure>{svg}</figure>", shown=shown)


def what_if_parts(found: Investigation) -> Iterator[str]:
    """Yield what one step of each factor does."""
    yield paragraph(
        "What one step of a factor does for a product whose competitors stay as they are: points "
        "of score, places gained on average, and how many products gain a place at all."
    )
    rows = [
        (factor, step, points, places, f"{gain:.0%}")
        for factor, step, points, places, gain in found.what_if.itertuples()
    ]
    yield html_table(["factor", "step", "points", "places, mean", "products that gain"], rows)
