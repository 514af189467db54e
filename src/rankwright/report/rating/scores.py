"""What published scores say."""

from collections.abc import Iterator

from rankwright.report.page import html_table, paragraph
from rankwright.report.score_words import range_ends, words_of_scores
from rankwright.reverse import Investigation

__all__ = ["score_parts"]

RANGES = ("factor", "weight", "at least", "at most")
CONTRADICTED = ("product", "published score", "by the formula", "misses by")
MOST_ROWS = 100


def score_parts(found: Investigation) -> Iterator[str]:
    """Yield how scores were read, the exact ranges of the weights, and what contradicts them."""
    fit, contradicted = found.formula.score_fit_, found.contradictions
    assert fit is not None
    assert contradicted is not None
    yield from map(paragraph, words_of_scores(found)[1:])  # the first is the verdict above
    weights = found.formula.weights_.tolist()
    columns = zip(found.weights.index, weights, fit.low, fit.high, strict=True)
    rows = [(str(name), f"{w:.10g}", *range_ends(low, high)) for name, w, low, high in columns]
    ends = range_ends(fit.intercept_low, fit.intercept_high)
    rows.append(("intercept", f"{fit.intercept:.10g}", *ends))
    yield html_table(RANGES, rows)
    if len(contradicted):
        yield html_table(CONTRADICTED, contradicted.head(MOST_ROWS).to_numpy(object))
    if len(contradicted) > MOST_ROWS:
        yield paragraph(f"The other {len(contradicted) - MOST_ROWS:,} are in the JSON result.")
