"""What was found out about a rating, for machines: values, tables, and what a picture draws."""

from typing import Any

import pandas as pd

import rankwright
from rankwright.report.proof_words import SILENT, interval_words
from rankwright.reverse import Investigation
from rankwright.reverse.questions.summary import range_scope, scope_words
from rankwright.reverse.scores import ScoreFit

__all__ = ["MEASURES", "formula_table", "rating_result", "result_tables", "weight_picture"]

# What a weight is multiplied by, before it is a percentage of the sum.
MEASURES = {
    "percent": "weight",
    "deviation": "weight × standard deviation",
    "share": "weight × range",
}


def rating_result(found: Investigation) -> dict[str, Any]:
    """Return the result as values that ``plain`` turns into JSON."""
    formula, certificate = found.formula, found.certificate
    return {
        "source": found.table.source,
        "formula": _whole_formula(found),
        "unit": found.unit,
        "factor_values": formula.factor_values(),
        "alike": [
            {"factors": [str(found.weights.index[j]) for j in one.factors]}
            | {"correlation": one.correlation}
            for one in found.alike
        ],
        "how_well": found.how_well,
        "alternatives": found.alternatives,
        "forms": found.forms,
        "excel": formula.to_excel_formula(),
        "stable": None if found.stable is None else found.stable.stable_,
        "stable_excel": None if found.stable is None else found.stable.to_excel_formula(),
        "certificate": certificate,
        "gap": formula.gap_,
        "achievable": formula.achievable_,
        "held_out": found.held_out,
        "chance": found.chance,
        "weight_ranges": found.weight_ranges,
        "weight_ranges_hold_for": None if found.weight_ranges is None else _range_scope(found),
        "any_sign_ranges": found.any_sign_ranges,
        "suspects": found.suspects,
        "scores": formula.score_fit_,
        "contradictions": found.contradictions,
        "what_if": found.what_if,
        "ranking": found.ranking,
        "shared_formula": found.shared,
        "each_group": found.each_group,
        "history": formula.history_,
        "interrupted": found.interrupted,
        "left_out": found.left_out,
        "shortened": found.shortened,
        "notes": found.table.notes,
        "rankwright": rankwright.__version__,
    }


def _range_scope(found: Investigation) -> str:
    """Say of which formulas the ranges of the weights speak."""
    fit, rating = found.formula.score_fit_, found.formula.rating_
    if fit is not None:
        signs = " with these signs" if fit.rounded_factors else ""
        return f"every {fit.scope}{signs} that reproduces the scores that are not contradicted"
    says = f"formulas with {scope_words(rating)} that fit as well. {range_scope(rating)}"
    return says.strip()


def formula_table(found: Investigation) -> pd.DataFrame:
    """Return the weights, how far they go, and those for new products, the largest first."""
    formula = found.weights
    if found.weight_ranges is not None:
        formula = formula.join(found.weight_ranges.drop(columns="share"))
    if found.drawn_again is not None:
        drawn = found.drawn_again[["low", "high"]].add_prefix("drawn_again_")
        formula = formula.join(drawn)
    if found.stable_weights is not None:
        chosen = found.stable_weights[["weight", found.unit]].add_prefix("stable_")
        formula = formula.join(chosen)
    by_size = formula[found.unit].abs().sort_values(ascending=False, kind="stable").index
    return formula.loc[by_size]


def result_tables(found: Investigation) -> dict[str, pd.DataFrame]:
    """Return the result as tables, the formula first: the sheets of a spreadsheet."""
    formula = _whole_formula(found)
    if "intervals" in formula.columns:
        formula = formula.assign(intervals=formula["intervals"].map(interval_words, "ignore"))
    tables = {
        "formula": formula,
        "ranking": found.ranking,
        "suspects": found.suspects,
        "contradictions": found.contradictions,
        "what if": found.what_if,
        "each group": found.each_group,
    }
    return {name: table for name, table in tables.items() if table is not None}


def _whole_formula(found: Investigation) -> pd.DataFrame:
    """Return the weights and, for published scores, what is needed to compute one."""
    formula, fit = formula_table(found), found.formula.score_fit_
    return formula if fit is None else _with_intercept(formula, found.weights.index, fit)


def _with_intercept(formula: pd.DataFrame, names: "pd.Index[Any]", fit: ScoreFit) -> pd.DataFrame:
    """Add how far weights can go, and below them the intercept, without which no score is right."""
    ends = pd.DataFrame({"weight_low": fit.low, "weight_high": fit.high}, index=names)
    row = {
        "weight": fit.intercept,
        "weight_low": fit.intercept_low,
        "weight_high": fit.intercept_high,
    }
    intercept = pd.DataFrame(row, index=pd.Index(["intercept"], name=formula.index.name))
    return pd.concat([formula.join(ends), intercept])


def weight_picture(found: Investigation) -> dict[str, Any]:
    """Return what ``plot_weights`` draws: the weights in the unit that is shown first."""
    values = found.weights[found.unit] / 100
    signs = values.lt(0).map({True: -1, False: 1})
    ranges = found.weight_ranges
    drawn: dict[str, Any] = {
        "shares": {str(factor): float(value) for factor, value in values.items()},
        "measure": MEASURES[found.unit],
    }
    if ranges is not None:
        wide = ranges["outer_high"] - ranges["outer_low"] >= SILENT
        drawn["inner"] = _signed_ranges(ranges, signs, "inner")
        if not wide.any():
            drawn["outer"] = _signed_ranges(ranges, signs, "outer")
    return drawn


def _signed_ranges(
    ranges: pd.DataFrame, signs: "pd.Series[int]", kind: str
) -> dict[str, tuple[float, float]]:
    """Return ranges as fractions, on the side of zero where the factor counts."""
    return {
        str(factor): (
            signs[factor] * ranges.loc[factor, f"{kind}_low"] / 100,
            signs[factor] * ranges.loc[factor, f"{kind}_high"] / 100,
        )
        for factor in ranges.index
    }
