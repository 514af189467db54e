"""What was found out about a rating, on the first screen: the answers in the order of questions."""

from typing import TYPE_CHECKING, Any

from rankwright.cli.output import Output
from rankwright.cli.render import Listing, bar, table
from rankwright.cli.scores import show_scores

if TYPE_CHECKING:
    from rankwright.reverse import Investigation
    from rankwright.reverse.questions import GivenWeights

__all__ = ["show_findings"]

SUSPECTS = 10
BAR = 12  # letters
TITLES = {
    "percent": "The formula: weights in percent",
    "share": "The formula: weights times ranges, in percent",
}
UNIT_WORDS = {"deviation": "× deviation", "share": "× range"}


def show_findings(
    output: Output, found: "Investigation", judged: "GivenWeights | None" = None
) -> None:
    """Print how well, what, how sure, which products don't fit; technical words come last."""
    from rankwright.report import proof_words, words

    if found.formula.score_fit_ is not None:
        show_scores(output, found)
        if judged is not None:
            _show_judged(output, judged)
        _show_left_out(output, found)
        return
    rows = words.how_well_rows(found)
    columns = list(words.HOW_WELL)
    if not any(row[3] for row in rows):
        columns, rows = columns[:3] + columns[4:], [(*row[:3], row[4]) for row in rows]
    output.show("How well does a formula explain the ranking?", *words.verdict_words(found))
    output.show(*words.gone_words(found), "")
    output.show(table("", columns, rows), "")
    output.show(_formula(found), "", *proof_words.proof_words(found))
    if found.stable is not None:
        output.show("", *words.selection_words(found))
    if judged is not None:
        _show_judged(output, judged)
    _show_groups(output, found)
    output.show("", words.moved_words(found))
    if words.is_meaningless(found):
        output.show(words.MEANINGLESS)
    elif found.suspects is not None and not found.suspects.empty:
        output.show(_suspicious(found), *words.place_words(found))
    output.show("", "In technical words", *proof_words.certificate_words(found)[:1])
    output.show(*words.trust_words(found))
    _show_left_out(output, found)


def _show_left_out(output: Output, found: "Investigation") -> None:
    from rankwright.report.words import left_out_words

    for sentence in left_out_words(found):
        output.note(f"Note: {sentence}")


def _formula(found: "Investigation") -> Listing:
    from rankwright.report.rating.formula import FormulaListing

    listing = FormulaListing.of(found)
    values = listing.percents[found.unit]
    largest = max(map(abs, values))
    columns: dict[str, list[Any]] = {
        "factor": listing.factors,
        "weight": listing.written(found.unit),
        "": [bar(value, largest, BAR) for value in values],
        **listing.spans,
    }
    optional = {"as used": [f"{weight:.4g}" for weight in listing.weights]}
    optional |= {
        words: listing.written(unit)
        # Not the percents: of weights in different units, they compare metres with euros.
        for unit, words in UNIT_WORDS.items()
        if unit != found.unit
    }
    columns |= optional
    rows = list(zip(*columns.values(), strict=True))
    return table(TITLES[found.unit], list(columns), rows, optional=list(optional))


def _suspicious(found: "Investigation") -> Listing:
    from rankwright.report.rating.suspects import list_suspects

    columns = ["product", "group", "published", "by the formula", "pairs lost", "better without"]
    rows: list[tuple[Any, ...]] = [
        (
            one.product,
            one.group,
            one.printed,
            one.modelled,
            one.lost,
            f"{_small(one.rise_without)}{'' if one.is_proved else ' found'}",
        )
        for one in list_suspects(found, SUSPECTS)
    ]
    if found.table.groups is None:
        columns.remove("group")
        rows = [(row[0], *row[2:]) for row in rows]
    return table("Products that don't fit", columns, rows, optional=["better without"])


def _small(value: float) -> str:
    """Write a small number so that 0 means nothing at all."""
    return f"{value:.4f}" if round(value, 4) or not value else "< 0.0001"


def _show_groups(output: Output, found: "Investigation") -> None:
    from rankwright.report.rating.groups import GROUP_WEIGHTS, group_weights
    from rankwright.report.words import EACH_GROUP, group_words

    sentences = group_words(found)
    if sentences:
        output.show("", *sentences, "")
    each = found.each_group
    if each is None:
        return
    rows = [(str(row[0]), *map(_count, row[1:5])) for row in each.itertuples(name=None)]
    output.show(table("A formula for each group: the pairs that it loses", EACH_GROUP, rows), "")
    output.show(table(GROUP_WEIGHTS[found.unit], *group_weights(found)))


def _count(value: float) -> str:
    return "–" if value != value else f"{value:,.0f}"


def _show_judged(output: Output, judged: "GivenWeights") -> None:
    from rankwright.report.given_weights import GIVEN_WEIGHTS, given_rows, given_words

    rows = given_rows(judged)
    output.show("", table("The given weights", list(GIVEN_WEIGHTS), rows), *given_words(judged))
