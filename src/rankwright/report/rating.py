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
from rankwright.report.words import (
    certificate_words,
    formula_words,
    left_out_words,
    measured,
    trust_words,
)
from rankwright.reverse import Investigation

__all__ = ["rating_report", "rating_result"]

FORMULA_COLUMNS = (
    "factor", "weight", "share, %", "found, lowest", "found, highest", "at least", "at most",
)  # fmt: skip
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
        "formula": _formula_table(found),
        "excel": formula.to_excel_formula(),
        "certificate": certificate,
        "gap": formula.gap_,
        "achievable": formula.achievable_,
        "held_out": found.held_out,
        "chance": found.chance,
        "weight_ranges": found.weight_ranges,
        "suspects": found.suspects,
        "what_if": found.what_if,
        "ranking": found.ranking,
        "history": formula.history_,
        "interrupted": found.interrupted,
        "left_out": found.left_out,
        "notes": found.table.notes,
        "rankwright": rankwright.__version__,
    }


def _sections(found: Investigation) -> Iterator[Section]:
    yield Section("In short", tuple(_in_short(found)))
    yield Section("The formula", tuple(_formula(found)))
    yield Section("Published and reproduced ranks", tuple(_rankings(found)))
    yield Section("How good, and how sure", tuple(_certificate(found)))
    yield Section("Suspicious products", tuple(_suspects(found)))
    yield Section("What if", tuple(_what_if(found)))
    if found.table.notes:
        yield Section("The table", (*map(paragraph, found.table.notes),))
    yield Section("How to cite", tuple(_citation()))


def _in_short(found: Investigation) -> Iterator[str]:
    chance = found.chance
    doubtful = chance is not None and not chance.is_better_than_chance
    sentences = [*formula_words(found), *certificate_words(found)[:1], *trust_words(found)]
    yield verdict(sentences, warning=doubtful)
    yield from map(paragraph, left_out_words(found))


def _formula(found: Investigation) -> Iterator[str]:
    table = _formula_table(found)
    ranges = found.weight_ranges
    signs = table["weight"].lt(0).map({True: -1, False: 1})
    shares = {
        str(factor): signs[factor] * table.loc[factor, "share"] / 100 for factor in table.index
    }
    outer = inner = None
    if ranges is not None:
        outer = _signed_ranges(ranges, signs, "outer")
        inner = _signed_ranges(ranges, signs, "inner")
    svg = inline_svg(
        plot_weights(shares, outer=outer, inner=inner), "weights", "Shares of the factors"
    )
    yield drawing(
        svg,
        "Each factor's share: its weight times its range in the table. Orange factors count "
        "against a product. Lines: how far the share can go among formulas that are as good.",
    )
    if ranges is not None:
        table = table.join(ranges.drop(columns="share"))
    yield html_table(FORMULA_COLUMNS[: table.shape[1] + 1], table.reset_index().to_numpy(object))
    yield paragraph("For a spreadsheet whose columns B, C, ... hold the factors in this order:")
    yield preformatted(found.formula.to_excel_formula())
    yield paragraph("Factors, in order: " + ", ".join(map(str, found.table.X.columns)) + ".")


def _rankings(found: Investigation) -> Iterator[str]:
    moved = found.ranking[found.ranking["published"] != found.ranking["reproduced"]]
    if moved.empty:
        yield paragraph("Every product is at its published position.")
    else:
        yield paragraph(
            f"{len(moved):,} of {len(found.ranking):,} products are not at their published "
            "position; marks show how many places they move up (green) or down (orange)."
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
        top=top if isinstance(top, int) else None,
    )
    changed = int((listed["published"] != listed["reproduced"]).sum())
    svg = inline_svg(ax, name, f"Positions in {label}")
    part = f", the first {MOST_ROWS} shown" if len(listed) > MOST_ROWS else ""
    summary = f"{label}: {len(listed):,} products, {changed:,} moved{part}"
    return details(summary, f"<figure>{svg}</figure>", shown=shown)


def _certificate(found: Investigation) -> Iterator[str]:
    yield from map(paragraph, certificate_words(found))
    shuffled = None if found.chance is None else float(found.chance.shuffled.mean())
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
    yield from map(paragraph, trust_words(found))


def _suspects(found: Investigation) -> Iterator[str]:
    suspects = found.suspects
    if suspects is None:
        yield paragraph("This check was not run.")
        return
    if suspects.empty:
        yield paragraph("None: the formula orders as published every pair of products that counts.")
        return
    yield paragraph(
        "The products that the formula misplaces most: an error in the table, or something that "
        "the factors do not measure. The columns 'left out' and 'freed' say how much the objective "
        "improves without the product, and when only its rank is freed."
    )
    rows = [
        (
            row.product,
            row.group,
            row.published,
            row.modelled,
            row.rise_without,
            row.rise_freed,
            _reason(row),
        )
        for row in suspects.head(SUSPECTS).itertuples()
    ]
    columns = ["product", "group", "published", "by the formula", "left out", "freed", "reason"]
    yield html_table(columns, rows)
    for number, row in enumerate(suspects.head(EXPLAINED).itertuples()):
        yield from _comparison(found, row, f"why{number}")


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


def _reason(row: Any) -> str:
    against = [str(name) for name in row.against]
    more = f" and {len(against) - AGAINST} more" if len(against) > AGAINST else ""
    places = row.published - row.modelled
    relation = "better" if places < 0 else "worse"
    says = f"published {relation} than its factors say; " if places else ""
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


def _formula_table(found: Investigation) -> pd.DataFrame:
    """Return the weights and shares by factor, the largest share first."""
    formula = found.formula
    table = pd.DataFrame(
        {"weight": formula.weights_, "share": formula.shares_},
        index=pd.Index([str(name) for name in found.table.X.columns], name="factor"),
    )
    return table.sort_values("share", ascending=False, kind="stable")


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
