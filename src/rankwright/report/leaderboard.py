"""The report of a leaderboard, and its result for machines."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import rankwright
from rankwright.leaderboards import Leaderboard
from rankwright.plots import plot_leaderboard
from rankwright.report.figures import inline_svg
from rankwright.report.page import (
    Section,
    drawing,
    html_table,
    page,
    paragraph,
    preformatted,
    verdict,
)

__all__ = ["leaderboard_report", "leaderboard_result", "leaderboard_words", "rank_table"]

MOST_NAMES = 8
NEXT_PAIRS = 10
DECIMALS = 9  # the rest is rounding error
MODELS = {
    "bradley_terry": "Bradley and Terry's model; a tie is half a win for either side",
    "davidson": "Davidson's model, which gives ties a probability of their own",
    "plackett_luce": "Plackett and Luce's model of rankings, with ties",
    "mean_score": "the mean of scores, standardised in each task",
    "mean_rank": "the mean of ranks over the tasks",
}
ERRORS = {
    "model": "Standard errors are those of independent comparisons.",
    "robust": "Standard errors are robust ones, from the squared residuals of comparisons.",
    "clustered": "Standard errors allow for comparisons of one cluster (judge, user, task) that "
    "depend on each other.",
    "bootstrap": "Standard errors come from resamples.",
    "bounded": "Standard errors are quasi standard errors from upper bounds of the variances of "
    "differences: there are too many items for the exact ones.",
    "none": "There are no standard errors.",
}
METHODS = {
    "max-t": "Rank sets come from tests of all differences at once, by the distribution of the "
    "largest one, step by step (Mogstad, Romano, Shaikh and Wilhelm 2024); pairs that are far "
    "apart are found first and need no further guard (Romano, Shaikh and Wolf 2014).",
    "bonferroni": "Rank sets come from tests of all differences at once, by Bonferroni's bound, "
    "step by step (Holm).",
    "none": "Any item may have any rank: there are no standard errors.",
}


def leaderboard_words(board: Leaderboard) -> list[str]:
    """Say who may be the best, and how much is sure."""
    best = [str(item) for item in board.best]
    alone = int((board.rank_low == board.rank_high).sum())
    names = ", ".join(best[:MOST_NAMES])
    more = f" and {len(best) - MOST_NAMES:,} more" if len(best) > MOST_NAMES else ""
    first = (
        f"{names} is the best, with {board.level:.0%} confidence."
        if len(best) == 1
        else f"{len(best):,} of {len(board.items):,} items may be the best, with {board.level:.0%} "
        f"confidence: {names}{more}."
    )
    sure = f"Taken one by one, {alone:,} of {len(board.items):,} items have a certain rank."
    return [words for words in (first, board.best_beside_ranks, sure) if words]


def rank_table(board: Leaderboard) -> pd.DataFrame:
    """Return the leaderboard as people read it: rank sets as texts."""
    table = board.table()
    return pd.DataFrame(
        {
            "rank": [f"{rank:g}" if rank == rank else "–" for rank in table["rank"]],
            "item": [str(item) for item in table.index],
            "strength": table["strength"].round(DECIMALS).to_numpy() + 0.0,
            "standard error": table["standard_error"].to_numpy(),
            "ranks": _spans(table["rank_low"], table["rank_high"]),
            "all at once": _spans(table["all_low"], table["all_high"]),
            "tier": [str(tier) if tier else "–" for tier in table["tier"]],
            "comparisons": table["comparisons"].to_numpy(),
        }
    ).set_index("rank")


def leaderboard_report(board: Leaderboard, source: str) -> str:
    """Return the report as one HTML page that needs nothing else."""
    return page(
        f"Leaderboard of {source}",
        f"{len(board.items):,} items, {board.n_comparisons:,.10g} comparisons or scores; "
        f"{MODELS[board.model]}",
        _sections(board),
        f"Written by rankwright {rankwright.__version__}.",
    )


def leaderboard_result(board: Leaderboard, source: str) -> dict[str, Any]:
    """Return the result as values that ``plain`` turns into JSON."""
    return {
        "source": source,
        "leaderboard": board.table(),
        "best": board.best,
        "effects": board.effect_table(),
        "model": board.model,
        "errors": board.errors,
        "method": board.method,
        "level": board.level,
        "alpha": board.alpha,
        "log_likelihood": board.log_likelihood,
        "n_comparisons": board.n_comparisons,
        "n_distinct": board.n_distinct,
        "three_cycles": board.three_cycles,
        "misfit": _misfit(board),
        "misfit_p_value": board.misfit_p_value,
        "judges": _judges(board),
        "notes": board.notes,
        "rankwright": rankwright.__version__,
    }


def _sections(board: Leaderboard) -> Iterator[Section]:
    yield Section("In short", (verdict(leaderboard_words(board), warning=len(board.best) > 1),))
    yield Section("The leaderboard", tuple(_board(board)))
    yield Section("How sure", tuple(_certainty(board)))
    if board.notes:
        yield Section("What to know about the data", (*map(paragraph, board.notes),))
    if board.effect_names:
        columns = ["", "effect", "standard error", "lowest", "highest"]
        rows = board.effect_table().itertuples()
        yield Section("Effects", (html_table(columns, rows),))
    if board.misfit_pairs:
        yield Section("Does one strength explain the results?", tuple(_fit(board)))
    if board.judges:
        yield Section("Judges", tuple(_judged(board)))
    if board.model not in ("mean_score", "mean_rank") and board.covariance.size:
        yield Section("What to compare next", tuple(_next(board)))
    yield Section("How to cite", tuple(_citation()))


def _board(board: Leaderboard) -> Iterator[str]:
    yield drawing(
        inline_svg(plot_leaderboard(board), "board", "Strengths with intervals and rank sets"),
        "Strengths with their intervals; tiers are shaded in turn. Arrows mark strengths without a "
        "limit. On the right the ranks that each item may have.",
    )
    table = rank_table(board)
    yield html_table(["rank", *map(str, table.columns)], table.itertuples())


def _certainty(board: Leaderboard) -> Iterator[str]:
    yield paragraph(ERRORS[board.errors])
    yield paragraph(METHODS[board.method])
    yield paragraph(
        f"With {board.level:.0%} confidence, an item's rank lies in its own set; the wider sets "
        "hold for all items at once. The first tier contains the best item with the same "
        "confidence; the next ones repeat the question among the rest."
    )


def _fit(board: Leaderboard) -> Iterator[str]:
    if board.misfit_p_value == board.misfit_p_value:
        yield paragraph(
            f"Pearson's statistic over pairs with five comparisons or more is {board.misfit:.1f} "
            f"on {board.misfit_degrees:g} degrees of freedom (p = {board.misfit_p_value:.2g})."
        )
    if board.three_cycles == board.three_cycles:
        yield paragraph(
            f"{board.three_cycles:.1%} of the triples that were compared run in a circle; "
            "coin flips would give 25%."
        )
    yield html_table(list(_misfit(board).columns), _misfit(board).itertuples(index=False))


def _judged(board: Leaderboard) -> Iterator[str]:
    yield paragraph(
        "How often each judge chose the stronger item, beside what their battles lead one to "
        "expect; those farthest below, in standard errors, come first."
    )
    found = _judges(board)
    spread = np.sqrt(found["expected"] * (1 - found["expected"]) / found["decisions"])
    order = np.argsort(((found["agreement"] - found["expected"]) / spread).to_numpy())
    found = found.iloc[order[:20]]
    yield html_table(list(found.columns), found.itertuples(index=False))


def _next(board: Leaderboard) -> Iterator[str]:
    yield paragraph("The comparisons that would lower the standard errors most, one after another:")
    yield html_table(["", "against"], [(str(a), str(b)) for a, b in board.next_pairs(NEXT_PAIRS)])


def _citation() -> Iterator[str]:
    yield paragraph("The software:")
    yield preformatted(
        "@software{rankwright,\n"
        "  title   = {rankwright: learn rankings, explain them, find the cheapest way up},\n"
        f"  version = {{{rankwright.__version__}}},\n}}"
    )


def _misfit(board: Leaderboard) -> pd.DataFrame:
    columns = ["item", "against", "comparisons", "points", "expected", "residual"]
    rows = [(str(a), str(b), *numbers) for a, b, *numbers in board.misfit_pairs]
    return pd.DataFrame(rows, columns=columns)


def _judges(board: Leaderboard) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "judge": [str(name) for name in board.judges],
            "decisions": board.judge_decisions,
            "agreement": board.judge_agreement,
            "expected": board.judge_expected,
        }
    )


def _spans(low: "pd.Series[int]", high: "pd.Series[int]") -> list[str]:
    return [f"{a}" if a == b else f"{a}–{b}" for a, b in zip(low, high, strict=True)]
