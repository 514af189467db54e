"""What the formula is, and how well it explains the published order."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from rankwright.plots import plot_weights
from rankwright.report.figures import inline_svg
from rankwright.report.page import drawing, html_table, paragraph, preformatted, verdict
from rankwright.report.proof_words import FOUND, UNKNOWN, any_sign_words, drawn_words, range_words
from rankwright.report.rating.result import MEASURES, formula_table, weight_picture
from rankwright.report.score_words import words_of_scores
from rankwright.report.words import (
    HOW_WELL,
    formula_words,
    gone_words,
    how_well_rows,
    is_meaningless,
    left_out_words,
    verdict_words,
)
from rankwright.reverse import Investigation

__all__ = ["FormulaListing", "formula_parts", "how_well_parts"]


@dataclass(frozen=True)
class FormulaListing:
    """The formula as it is listed, the factor that counts most first.

    Attributes
    ----------
    factors : list of str
    percents : dict of str to list of float
        The weights in percent, by their unit: first the unit that is shown first.
    weights : list of float
        As they are used.
    spans : dict of str to list of str
        By title, how far weights go, and those for new products; what was not asked for is not
        there.
    """

    factors: list[str]
    percents: dict[str, list[float]]
    weights: list[float]
    spans: dict[str, list[str]]

    @classmethod
    def of(cls, found: Investigation) -> Self:
        """List the formula of an investigation."""
        table = formula_table(found)
        units = [found.unit, *(unit for unit in MEASURES if unit != found.unit)]
        factors = [str(factor) for factor in table.index]
        ranges = []
        if found.weight_ranges is not None:
            ranges = [range_words(found, factor) for factor in factors]
        spans = _ranges(ranges) | _any_signs(found, factors, ranges)
        if found.drawn_again is not None:
            spans["drawn again"] = [drawn_words(found, factor) for factor in factors]
        if found.stable_weights is not None:
            stable = table[f"stable_{found.unit}"]
            spans["new products"] = [f"{value:.1f}" for value in stable]
        percents = {unit: table[unit].tolist() for unit in units}
        return cls(factors, percents, table["weight"].tolist(), spans)

    def written(self, unit: str) -> list[str]:
        """Return the weights in a unit as text."""
        return [f"{value:.1f}" for value in self.percents[unit]]


def _ranges(written: list[str]) -> dict[str, list[str]]:
    """Return the ranges by their title, which says of all of them that they are not proved.

    A column that says nothing of any factor is none.
    """
    if all(one == UNKNOWN for one in written):
        return {}
    if all(one == UNKNOWN or one.endswith(FOUND) for one in written):
        return {f"range, {FOUND}": [one.removesuffix(f" {FOUND}") for one in written]}
    return {"range": written}


def _any_signs(found: Investigation, factors: list[str], ranges: list[str]) -> dict[str, list[str]]:
    """Return the ranges with any signs, unless they say nothing new."""
    if found.any_sign_ranges is None:
        return {}
    listed = [any_sign_words(found, factor) for factor in factors]
    is_new = listed != ranges and any(one != UNKNOWN for one in listed)
    return {"any signs": listed} if is_new else {}


def how_well_parts(found: Investigation) -> Iterator[str]:
    """Yield the verdict, and the formula beside other methods."""
    others = found.alternatives
    doubtful = is_meaningless(found) or (
        others is not None and bool(others.n_pairs) and others.is_curved
    )
    fit = found.formula.score_fit_
    said = verdict_words(found) if fit is None else words_of_scores(found)[:1]
    yield verdict([*said, *gone_words(found), *formula_words(found)], warning=doubtful)
    yield html_table(HOW_WELL, how_well_rows(found))
    if others is not None:
        yield paragraph(
            "A plain regression is least squares on the places inside each group. Curves are "
            "splines of each factor, trees a randomised forest; the better of the two is shown. "
            "Where they do clearly better, the ranking is not a weighted sum of these factors."
        )
    yield from map(paragraph, left_out_words(found))


def formula_parts(found: Investigation) -> Iterator[str]:
    """Yield the formula as a picture, as a table and for a spreadsheet."""
    drawn = weight_picture(found)
    svg = inline_svg(plot_weights(**drawn), "weights", "Weights of the factors")
    lines = (
        " Lines: how far weights go among formulas with these signs that fit as well."
        if "inner" in drawn
        else ""
    )
    yield drawing(
        svg,
        f"Each factor's {drawn['measure']}, in percent of the sum. Bars to the left of zero count "
        f"against a product.{lines}",
    )
    listing = FormulaListing.of(found)
    columns: dict[str, list[Any]] = {
        "factor": listing.factors,
        f"{MEASURES[found.unit]}, %": listing.written(found.unit),
        **listing.spans,
        "weight": listing.weights,
    }
    for unit in (unit for unit in listing.percents if unit != found.unit):
        mixed = " (factors have different units)" if unit == "percent" else ""
        columns[f"{MEASURES[unit]}, %{mixed}"] = listing.written(unit)
    yield html_table(list(columns), list(zip(*columns.values(), strict=True)))
    yield from _value_parts(found)
    yield paragraph("For a spreadsheet whose columns B, C, ... hold the factors in this order:")
    yield preformatted(found.formula.to_excel_formula())
    yield paragraph("Factors, in order: " + ", ".join(map(str, found.table.X.columns)) + ".")


def _value_parts(found: Investigation) -> Iterator[str]:
    """Yield what factors in pieces are worth, if there are any."""
    values = found.formula.factor_values()
    if values.empty:
        return
    yield paragraph(
        "What factors in pieces are worth, in points of score above where they are worth least: "
        "straight lines lie between knots, and levels have a value each."
    )
    rows = [(factor, f"{at:.12g}", worth) for factor, at, worth in values.itertuples(index=False)]
    yield html_table(["factor", "at", "worth, points"], rows)
