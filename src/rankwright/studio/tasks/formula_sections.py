"""The formula behind a rating, as sections of a page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rankwright.studio.blocks import Block, Chart, Drawing, Grid, Section, Tone, Words
from rankwright.studio.tasks.grids import grid_of

if TYPE_CHECKING:
    from rankwright.reverse import Investigation
    from rankwright.reverse.questions import GivenWeights

__all__ = ["formula_sections"]

SUSPECTS, MOST_GROUPS, MOST_ROWS, EXPLAINED = 15, 30, 60, 400
REASONS = 3


def formula_sections(
    found: "Investigation", judged: "GivenWeights | None" = None
) -> Iterator[Section]:
    """Yield what the report tells, and what is to be said of given weights."""
    from rankwright.report import proof_words, words

    by_scores = found.formula.score_fit_ is not None
    yield Section("How well", tuple(_by_scores(found) if by_scores else _how_well(found)))
    yield Section("The formula", tuple(_formula(found)))
    if found.stable is not None:
        yield Section("For new products", (Words(tuple(words.selection_words(found))),))
    if judged is not None:
        yield Section("The given weights", tuple(_judged(judged)))
    if not by_scores:
        sure = (*proof_words.proof_words(found), *words.trust_words(found))
        yield Section("How sure", (Words(sure),))
        yield Section("Products that don't fit", tuple(_suspects(found)))
    if found.each_group is not None or found.shared is not None:
        yield Section("Group by group", tuple(_groups(found)))
    yield from _rankings(found)
    if not words.is_meaningless(found):
        yield Section("One step of each factor", (_steps(found),), folded=True)
    technical = tuple(proof_words.certificate_words(found))
    yield Section("In technical words", (Words(technical),), folded=True)


def _judged(judged: "GivenWeights") -> Iterator[Block]:
    from rankwright.report.given_weights import GIVEN_WEIGHTS, given_rows, given_words

    yield Words(tuple(given_words(judged)))
    yield grid_of("The given weights", GIVEN_WEIGHTS, given_rows(judged))


def _groups(found: "Investigation") -> Iterator[Block]:
    from rankwright.report.rating.groups import GROUP_WEIGHTS, group_weights
    from rankwright.report.words import EACH_GROUP, group_words

    yield Words(tuple(group_words(found)))
    if found.each_group is not None:
        rows = ((str(row[0]), *row[1:5]) for row in found.each_group.itertuples(name=None))
        yield grid_of("A formula for each group: the pairs that it loses", EACH_GROUP, rows)
        yield grid_of(GROUP_WEIGHTS[found.unit], *group_weights(found))


def _by_scores(found: "Investigation") -> Iterator[Block]:
    from rankwright.report.score_words import words_of_scores

    yield Words(tuple(words_of_scores(found)))
    contradicted = found.contradictions
    if contradicted is not None and not contradicted.empty:
        shown = contradicted.head(SUSPECTS)[["product", "published", "by_formula", "misses_by"]]
        columns = ("product", "published", "by the formula", "misses by")
        rows = shown.itertuples(index=False)
        yield grid_of("Scores that contradict the rest", columns, rows)


def _how_well(found: "Investigation") -> Iterator[Block]:
    from rankwright.report import words

    said = (*words.verdict_words(found), *words.formula_words(found))
    yield Words(said, Tone.WARNING if words.is_meaningless(found) else Tone.GOOD)
    rows = tuple(tuple(map(str, row)) for row in words.how_well_rows(found))
    yield Grid("How well other methods do", tuple(words.HOW_WELL), rows)
    if left := tuple(words.left_out_words(found)):
        yield Words(left, Tone.WARNING)


def _formula(found: "Investigation") -> Iterator[Block]:
    from rankwright.report.rating import weight_picture

    drawn = weight_picture(found)
    ranges = drawn.get("outer") or drawn.get("inner") or {}
    kind = "at most" if "outer" in drawn else "found"
    order = sorted(drawn["shares"], key=lambda factor: -abs(drawn["shares"][factor]))
    used = found.weights["weight"].to_dict()
    rows = (
        (
            factor,
            100 * drawn["shares"][factor],
            *sorted(100 * end for end in ranges.get(factor, ())),
            used[factor],
        )
        for factor in order
    )
    ends = (f"lowest {kind}, %", f"highest {kind}, %") if ranges else ()
    title = f"The formula: {drawn['measure']}, in percent of the sum"
    columns = ("factor", "percent", *ends, "weight as used")
    yield Chart(Drawing.WEIGHTS, grid_of(title, columns, rows))
    yield Words(
        (
            "Bars to the left of zero count against a product."
            + (
                " Lines show how far weights go among formulas with these signs that fit as well."
                if ranges
                else ""
            ),
            f"For a spreadsheet whose columns B, C, ... hold {', '.join(map(str, found.table.X))}: "
            f"{found.formula.to_excel_formula()}",
        )
    )


def _suspects(found: "Investigation") -> Iterator[Block]:
    from rankwright.report import words
    from rankwright.report.rating.suspects import list_suspects

    yield Words((words.moved_words(found),))
    if words.is_meaningless(found):
        yield Words((words.MEANINGLESS,), Tone.WARNING)
    elif found.suspects is not None and not found.suspects.empty:
        rows = (
            (one.product, one.group, one.printed, one.modelled, one.lost,
             f"{one.rise_without:.4f}{'' if one.is_proved else ' found'}", one.reason)
            for one in list_suspects(found, SUSPECTS)
        )  # fmt: skip
        columns = ("product", "subcategory", "published", "by the formula", "pairs lost",
                   "better without", "what is odd")  # fmt: skip
        yield grid_of("Products that look mis-rated", columns, rows)


def _rankings(found: "Investigation") -> Iterator[Section]:
    why = _reasons(found)
    columns = ("product", "published", "by the formula", "moved up", "printed as", "why")
    shown_columns = ["published", "reproduced", "moved", "printed"]
    for number, (label, listed) in enumerate(found.ranking.groupby("group", sort=False)):
        if number == MOST_GROUPS:
            return
        rows = (
            (name, *values, why.get((str(name), str(label)), ""))
            for name, *values in listed.head(MOST_ROWS)[shown_columns].itertuples(name=None)
        )
        shown = f", the first {MOST_ROWS}" if len(listed) > MOST_ROWS else ""
        title = "Published and reproduced ranks" + (
            f": {label}" if found.table.groups is not None else ""
        )
        chart = Chart(Drawing.SLOPE, grid_of(f"{title}{shown}", columns, rows))
        yield Section(title, (chart,), folded=number > 0)


def _reasons(found: "Investigation") -> dict[tuple[str, str], str]:
    """Say of each product what sets it apart from the mean of its group, by the formula."""
    import numpy as np

    import rankwright as rw

    table = found.table
    if len(table) > EXPLAINED or table.X.isna().to_numpy().any():
        return {}
    labels = np.repeat("all", len(table)) if table.groups is None else table.groups
    means = table.X.groupby(labels).mean()
    reasons = {}
    for row, (name, label) in enumerate(zip(table.items, labels, strict=True)):
        mean = means.loc[[label]].set_axis(["the mean"])
        why = rw.why_above(found.formula, table.X.iloc[[row]], mean)
        parts = zip(why.features[:REASONS], why.contributions[:REASONS], strict=True)
        said = ", ".join(f"{feature} {points:+.3g}" for feature, points in parts)
        reasons[str(name), str(label)] = f"points against the mean of its list: {said}"
    return reasons


def _steps(found: "Investigation") -> Block:
    columns = ("factor", "one step", "points", "places gained on average", "share that gains")
    rows = found.what_if[["step", "points", "places", "gain"]].itertuples(name=None)
    return grid_of("What one step of each factor would do", columns, rows)
