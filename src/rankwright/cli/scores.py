"""What the terminal shows of a formula for published scores."""

from typing import TYPE_CHECKING, Any

from rankwright.cli.output import Output
from rankwright.cli.render import table

if TYPE_CHECKING:
    from rankwright.reverse import Investigation
    from rankwright.reverse.scores import ScoreFit

__all__ = ["show_scores"]

MOST_ROWS = 10
UNITS = {"percent": "percent", "share": "× range, percent"}


def show_scores(output: Output, found: "Investigation") -> None:
    """Print the formula with exact ranges, what is proved, and who contradicts it."""
    from rankwright.report.score_words import words_of_scores
    from rankwright.report.words import gone_words

    fit, contradicted = found.formula.score_fit_, found.contradictions
    assert fit is not None
    how_well, *more = words_of_scores(found)
    output.show("How well does a formula explain the scores?", how_well, *gone_words(found), "")
    output.show(_formula(found, fit), "", *more)
    if contradicted is not None and not contradicted.empty:
        rows = [
            (row.product, f"{row.published:g}", f"{row.by_formula:.6g}", f"{row.misses_by:.3g}")
            for row in contradicted.head(MOST_ROWS).itertuples()
        ]
        columns = ["product", "published", "by the formula", "misses by"]
        output.show("", table("Scores that contradict the rest", columns, rows))


def _formula(found: "Investigation", fit: "ScoreFit") -> Any:
    from rankwright.report.score_words import range_ends

    names, weights = map(str, found.weights.index), found.formula.weights_
    shares = found.weights[found.unit].abs()
    rows = [
        (name, f"{weight:.10g}", f"{share:.1f}", _between(*range_ends(low, high)))
        for name, weight, share, low, high in zip(
            names, weights, shares, fit.low, fit.high, strict=True
        )
    ]
    ends = _between(*range_ends(fit.intercept_low, fit.intercept_high))
    rows.append(("intercept", f"{fit.intercept:.10g}", "", ends))
    return table("The formula", ["factor", "weight", UNITS[found.unit], "range, proved"], rows)


def _between(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"
