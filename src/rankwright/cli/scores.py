"""What the terminal shows of a formula for published scores."""

from typing import TYPE_CHECKING, Any

from rankwright.cli.output import Output
from rankwright.cli.render import table

if TYPE_CHECKING:
    from rankwright.reverse import Investigation
    from rankwright.reverse.scores import ScoreFit

__all__ = ["show_scores"]

MOST_ROWS = 10


def show_scores(output: Output, found: "Investigation") -> None:
    """Print the formula with exact ranges, what is proved, and who contradicts it."""
    from rankwright.report.score_words import score_words

    fit, contradicted = found.formula.score_fit_, found.contradictions
    assert fit is not None
    output.show(_formula(found, fit), "", *score_words(fit))
    if contradicted is not None and not contradicted.empty:
        rows = [
            (row.product, f"{row.published:g}", f"{row.by_formula:.6g}", f"{row.misses_by:.3g}")
            for row in contradicted.head(MOST_ROWS).itertuples()
        ]
        columns = ["product", "published", "by the formula", "misses by"]
        output.show("", table("Scores that contradict the rest", columns, rows))


def _formula(found: "Investigation", fit: "ScoreFit") -> Any:
    names, weights = map(str, found.weights.index), found.formula.weights_
    rows = [
        (
            name,
            f"{weight:.10g}",
            f"{100 * abs(weight) / (fit.scale or 1.0):.4g}%",
            f"{low:.8g} to {high:.8g}",
        )
        for name, weight, low, high in zip(names, weights, fit.low, fit.high, strict=True)
    ]
    ends = f"{fit.intercept_low:.8g} to {fit.intercept_high:.8g}"
    rows.append(("intercept", f"{fit.intercept:.10g}", "", ends))
    return table("The formula", ["factor", "weight", "of all weights", "range, proved"], rows)
