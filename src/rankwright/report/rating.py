"""The report of a reverse-engineered rating, and its result for machines."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

import rankwright
from rankwright.plots import plot_convergence, plot_explanation, plot_slope, plot_weights
from rankwright.report.figures import inline_svg
from rankwright.report.page import (
    Section,
    details,
    drawing,
    html_table,
    page,
    paragraph,
    preformatted,
    verdict,
)
from rankwright.report.proof_words import (
    SILENT,
    certificate_words,
    drawn_words,
    proof_words,
    range_words,
)
from rankwright.report.scores import score_parts
from rankwright.report.words import (
    HOW_WELL,
    MEANINGLESS,
    formula_words,
    group_words,
    how_well_rows,
    is_meaningless,
    left_out_words,
    measured,
    moved_words,
    trust_words,
    verdict_words,
)
from rankwright.reverse import Investigation
from rankwright.reverse.questions.summary import range_scope, scope_words

__all__ = [
    "printed_ranks",
    "rating_report",
    "rating_result",
    "result_tables",
    "weight_picture",
]

UNITS = {
    "percent": "weight, %",
    "deviation": "weight × standard deviation, %",
    "share": "weight × range, %",
}
SUSPECTS, AGAINST = 15, 6  # rows of the table, and names in a row
EXPLAINED = 5  # suspects that are compared with a rival, factor by factor
OPEN_GROUPS, MOST_GROUPS, MOST_ROWS = 3, 30, 60  # slope charts: open, at all, and their rows


def rating_report(found: Investigation, model_checksum: str | None = None) -> str:
    """Return the report as one HTML page that needs nothing else; it names its model file."""
    table = found.table
    groups = "" if table.groups is None else f" in {len(set(table.groups.tolist()))} groups"
    return page(
        f"The formula behind {table.source}",
        f"{len(table):,} products{groups}, {table.X.shape[1]} factors; "
        f"published {table.target} ({table.target_is})",
        _sections(found),
        f"Written by rankwright {rankwright.__version__}"
        + (f", with the model of checksum {model_checksum}." if model_checksum else "."),
    )


def rating_result(found: Investigation) -> dict[str, Any]:
    """Return the result as values that ``plain`` turns into JSON."""
    formula, certificate = found.formula, found.certificate
    return {
        "source": found.table.source,
        "formula": result_tables(found)["formula"],
        "unit": found.unit,
        "alike": [
            {"factors": [str(found.table.X.columns[j]) for j in one.factors]}
            | {"correlation": one.correlation}
            for one in found.alike
        ],
        "how_well": found.how_well,
        "alternatives": found.alternatives,
        "excel": formula.to_excel_formula(),
        "certificate": certificate,
        "gap": formula.gap_,
        "achievable": formula.achievable_,
        "held_out": found.held_out,
        "chance": found.chance,
        "weight_ranges": found.weight_ranges,
        "weight_ranges_hold_for": None if found.weight_ranges is None else _range_scope(found),
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


def result_tables(found: Investigation) -> dict[str, pd.DataFrame]:
    """Return the result as tables, the formula first: the sheets of a spreadsheet."""
    formula = found.weights
    if found.weight_ranges is not None:
        formula = formula.join(found.weight_ranges.drop(columns="share"))
    if found.drawn_again is not None:
        drawn = found.drawn_again[["low", "high"]].add_prefix("drawn_again_")
        formula = formula.join(drawn)
    by_size = formula[found.unit].abs().sort_values(ascending=False, kind="stable").index
    tables = {
        "formula": formula.loc[by_size],
        "ranking": found.ranking,
        "suspects": found.suspects,
        "what if": found.what_if,
        "each group": found.each_group,
    }
    return {name: table for name, table in tables.items() if table is not None}


def weight_picture(found: Investigation) -> dict[str, Any]:
    """Return what ``plot_weights`` draws: the weights in the unit that is shown first."""
    values = found.weights[found.unit] / 100
    signs = values.lt(0).map({True: -1, False: 1})
    ranges = found.weight_ranges
    drawn: dict[str, Any] = {
        "shares": {str(factor): float(value) for factor, value in values.items()},
        "measure": UNITS[found.unit].removesuffix(", %"),
    }
    if ranges is not None:
        wide = ranges["outer_high"] - ranges["outer_low"] >= SILENT
        drawn["inner"] = _signed_ranges(ranges, signs, "inner")
        if not wide.any():
            drawn["outer"] = _signed_ranges(ranges, signs, "outer")
    return drawn


def _sections(found: Investigation) -> Iterator[Section]:
    yield Section("How well", tuple(_how_well(found)))
    yield Section("The formula", tuple(_formula(found)))
    yield Section("How sure", tuple(_how_sure(found)))
    yield Section("Products that don't fit", tuple(_suspects(found)))
    yield Section("Published and reproduced ranks", tuple(_rankings(found)))
    if found.contradictions is not None:
        yield Section("Published scores", tuple(score_parts(found)))
    if found.each_group is not None or found.shared is not None:
        yield Section("Group by group", tuple(_groups(found)))
    if not is_meaningless(found):
        yield Section("What if", tuple(_what_if(found)))
    yield Section("In technical words", tuple(_certificate(found)))
    if found.table.notes:
        yield Section("The table", (*map(paragraph, found.table.notes),))
    yield Section("How to cite", tuple(_citation()))


def _how_well(found: Investigation) -> Iterator[str]:
    others = found.alternatives
    doubtful = is_meaningless(found) or (
        others is not None and bool(others.n_pairs) and others.is_curved
    )
    yield verdict([*verdict_words(found), *formula_words(found)], warning=doubtful)
    yield html_table(HOW_WELL, how_well_rows(found))
    if others is not None:
        yield paragraph(
            "A plain regression is least squares on the places inside each group. Curves are "
            "splines of each factor, trees a randomised forest; the better of the two is shown. "
            "Where they do clearly better, the ranking is not a weighted sum of these factors."
        )
    yield from map(paragraph, left_out_words(found))


def _formula(found: Investigation) -> Iterator[str]:
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
    units = [found.unit, *(unit for unit in UNITS if unit != found.unit)]
    table = result_tables(found)["formula"]
    rows = [
        (
            str(factor),
            f"{table.loc[factor, units[0]]:.1f}",
            *_spans(found, str(factor)),
            float(table.loc[factor, "weight"]),
            *(f"{table.loc[factor, unit]:.1f}" for unit in units[1:]),
        )
        for factor in table.index
    ]
    spans = ["range"] if found.weight_ranges is not None else []
    spans += ["drawn again"] if found.drawn_again is not None else []
    others = [
        UNITS[unit] + " (factors have different units)" * (unit == "percent") for unit in units[1:]
    ]
    yield html_table(["factor", UNITS[units[0]], *spans, "weight", *others], rows)
    yield paragraph("For a spreadsheet whose columns B, C, ... hold the factors in this order:")
    yield preformatted(found.formula.to_excel_formula())
    yield paragraph("Factors, in order: " + ", ".join(map(str, found.table.X.columns)) + ".")


def _spans(found: Investigation, factor: str) -> list[str]:
    spans: list[str] = []
    if found.weight_ranges is not None:
        spans.append(range_words(found, factor))
    if found.drawn_again is not None:
        spans.append(drawn_words(found, factor))
    return spans


def _how_sure(found: Investigation) -> Iterator[str]:
    yield from map(paragraph, proof_words(found))
    yield from map(paragraph, trust_words(found))


def _groups(found: Investigation) -> Iterator[str]:
    yield from map(paragraph, group_words(found))
    each = found.each_group
    if each is None:
        return
    yield paragraph(
        "A formula for each group, fitted to it alone: the published pairs, those that it loses "
        "and those that the one formula for all loses."
    )
    columns = ["group", "products", "pairs", "lost by its own", "lost by one for all", "proof"]
    rows = [(str(row[0]), *row[1:6]) for row in each.itertuples(name=None)]
    yield html_table(columns, rows)
    yield paragraph("Their weights times ranges over all products, in percent:")
    weights = each[each.columns[5:]]
    if len(weights) <= weights.shape[1]:
        weights = weights.T  # the longer side goes down the page
    listed = [
        (str(row[0]), *(f"{value:.1f}" for value in row[1:]))
        for row in weights.itertuples(name=None)
    ]
    yield html_table(["", *map(str, weights.columns)], listed)


def _rankings(found: Investigation) -> Iterator[str]:
    moved = found.ranking[found.ranking["moved"] != 0]
    yield paragraph(moved_words(found))
    if not moved.empty:
        yield paragraph(
            "Marks show how many places a product moves up (▲) or down (▼) out of its published "
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
        top=top if isinstance(top, int) else None,
    )
    changed = int((listed["moved"] != 0).sum())
    svg = inline_svg(ax, name, f"Positions in {label}")
    part = f", the first {MOST_ROWS} shown" if len(listed) > MOST_ROWS else ""
    summary = f"{label}: {len(listed):,} products, {changed:,} moved{part}"
    return details(summary, f"<figure>{svg}</figure>", shown=shown)


def _certificate(found: Investigation) -> Iterator[str]:
    yield from map(paragraph, certificate_words(found))
    chance = found.chance
    shuffled = None if chance is None or chance.is_counted else float(chance.shuffled.mean())
    passes = "falls below" if found.formula.rating_.objective == "positions" else "exceeds"
    rows: list[tuple[str, float, float | None]] = [
        ("objective", float(found.certificate.objective), shuffled),
        (f"bound: no formula {passes} it", float(found.certificate.bound), None),
        ("gap", found.formula.gap_, None),
        ("best that single pairs allow", found.formula.achievable_, None),
    ]
    rows += [
        (f"{what}, held-out products", value, guessed)
        for what, value, guessed in measured(found.held_out)
    ]
    yield html_table(["", "value", "by chance"], rows)
    if len(found.formula.history_) > 1:
        history = [
            (state.seconds, state.objective, state.bound) for state in found.formula.history_
        ]
        svg = inline_svg(plot_convergence(history), "history", "Objective and bound over time")
        yield drawing(
            svg, "The best formula and the bound over time; what lies between them is undecided."
        )


def _suspects(found: Investigation) -> Iterator[str]:
    suspects = found.suspects
    if is_meaningless(found):
        yield paragraph(MEANINGLESS)
        return
    if suspects is None:
        yield paragraph("This check was not run.")
        return
    if suspects.empty:
        how = found.how_well
        yield paragraph(
            f"None among the {how.n_products:,} products that the formula was fitted to: it orders "
            f"{how.formula.right:,} of their {how.formula.pairs:,} published pairs as published."
        )
        return
    yield paragraph(
        "The products that the formula misplaces most: an error in the table, or something that "
        "the factors do not measure. The columns 'left out' and 'freed' say how much the objective "
        "improves without the product, and when only its rank is freed; 0 where it does not."
    )
    printed = printed_ranks(found)
    listed = zip(found.ranking.index, found.ranking["group"], found.ranking["moved"], strict=True)
    moved = {(product, group): int(places) for product, group, places in listed}
    columns = ["product", "published", "by the formula", "left out", "freed", "reason"]
    is_grouped = found.table.groups is not None
    rows = []
    rises = suspects[["rise_without", "rise_freed"]].clip(lower=0.0)
    for row in suspects.assign(**rises).head(SUSPECTS).itertuples():
        who = (row.product, row.group) if is_grouped else (row.product, "all")
        rows.append(
            (
                row.product,
                *([row.group] if is_grouped else []),
                printed.get(who, str(row.published)),
                row.modelled,
                row.rise_without,
                row.rise_freed,
                _reason(row, moved.get(who, 0)),
            )
        )
    yield html_table(columns[:1] + ["group"] * is_grouped + columns[1:], rows)
    for number, row in enumerate(suspects.head(EXPLAINED).itertuples()):
        yield from _comparison(found, row, f"why{number}")


def printed_ranks(found: Investigation) -> dict[tuple[Any, Any], str]:
    """Return what was printed for a product of a group, by its name and the group's."""
    listed = zip(found.ranking.index, found.ranking["group"], found.ranking["printed"], strict=True)
    return {(product, group): str(rank) for product, group, rank in listed}


def _comparison(found: Investigation, suspect: Any, name: str) -> Iterator[str]:
    """Explain why the formula orders a suspect and a rival otherwise than published."""
    table = found.table
    group = True if table.groups is None else table.groups == suspect.group
    rows = [
        table.X[(table.X.index == who) & group] for who in (suspect.product, suspect.against[0])
    ]
    if any(len(row) != 1 for row in rows):
        return  # a name that several products bear
    why = found.formula.explain(*rows)
    sentence = f"By the formula {why.item} is {why.relation} {why.other}: why"
    svg = inline_svg(plot_explanation(why), name, sentence)
    yield details(sentence, f"<figure>{svg}</figure>")


def _reason(row: Any, moved: int) -> str:
    against = [str(name) for name in row.against]
    more = f" and {len(against) - AGAINST} more" if len(against) > AGAINST else ""
    relation = "better" if moved < 0 else "worse"
    says = f"published {relation} than its factors say; " if moved else ""
    return f"{says}in conflict with {', '.join(against[:AGAINST])}{more}"


def _what_if(found: Investigation) -> Iterator[str]:
    yield paragraph(
        "What one step of a factor does for a product whose competitors stay as they are: points "
        "of score, places gained on average, and how many products gain a place at all."
    )
    rows = [
        (factor, step, points, places, f"{gain:.0%}")
        for factor, step, points, places, gain in found.what_if.itertuples()
    ]
    yield html_table(["factor", "step", "points", "places, mean", "products that gain"], rows)


def _citation() -> Iterator[str]:
    version = rankwright.__version__
    yield paragraph(
        "The method: A. Chang, C. Rudin, M. Cavaretta, R. Thomas and G. Chou, How to "
        "reverse-engineer quality rankings, Machine Learning 88 (2012), with a proof of "
        "optimality added. The software:"
    )
    yield preformatted(
        "@software{rankwright,\n"
        "  title   = {rankwright: learn rankings, explain them, find the cheapest way up},\n"
        f"  version = {{{version}}},\n}}"
    )


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
