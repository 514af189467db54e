"""What was found out about a rating, in plain words."""

from rankwright.data.observations import FROM_TOP
from rankwright.reverse import Investigation
from rankwright.reverse.investigation import INTERRUPTED, TOO_SHORT
from rankwright.reverse.questions import Alternatives
from rankwright.reverse.questions.agreement import Agreement
from rankwright.reverse.questions.summary import chance_words, held_out_words, percent, plural
from rankwright.reverse.stable import stable_words

__all__ = [
    "EACH_GROUP",
    "HOW_WELL",
    "MEANINGLESS",
    "QUESTIONS",
    "formula_words",
    "gone_words",
    "group_words",
    "how_well_rows",
    "is_meaningless",
    "left_out_words",
    "moved_words",
    "percent",
    "place_words",
    "selection_words",
    "short_of_time",
    "trust_words",
    "verdict_words",
]

QUESTIONS = {
    "alternatives": "other methods on products left out",
    "suspects": "products that don't fit",
    "contradictions": "contradictions",
    "weight_ranges": "ranges of the weights",
    "any_sign_ranges": "ranges with any signs",
    "drawn_again": "weights when products are drawn again",
    "held_out": "held-out products",
    "chance": "comparison with chance",
    "shared": "whether groups share one formula",
    "each_group": "a formula for each group",
}
# From which share of right pairs on, what is said of a formula.
LEVELS = (
    (0.99, "Almost exactly"),
    (0.95, "Very well"),
    (0.85, "Well"),
    (0.70, "In part"),
    (0.00, "Poorly"),
)
HOW_WELL = ("pairs ordered as published", "formula", "plain regression", "curves, trees", "chance")
EACH_GROUP = ("group", "products", "pairs", "lost by its own", "lost by one for all")
TELLING = 0.005  # of the pairs: what a form has to gain to be spoken of
FORMS = {"logarithm": "the logarithm", "threshold": "a threshold"}
MEANINGLESS = (
    "The formula explains this ranking no better than chance, so two things are not listed: which "
    "products don't fit, and what changing a factor would do."
)


def verdict_words(found: Investigation) -> list[str]:
    """Say how well a weighted sum explains the published order, or that it does not."""
    pairs = found.how_well.formula
    counted = (
        f"the formula orders {percent(pairs.share)} of the {pairs.pairs:,} published pairs as "
        "published"
    )
    said = _verdict(found, counted, pairs)
    return [said, *_untested(found), *_forms(found), *_elsewhere(found)]


def gone_words(found: Investigation) -> list[str]:
    """Name the products published at the top that a remedy for gaps left out, if any."""
    return [note for note in found.table.notes if note.startswith(FROM_TOP)]


def _forms(found: Investigation) -> list[str]:
    """Suggest another form of the factor that gains most by it."""
    if found.forms is None or found.forms.empty:
        return []
    first = found.forms.iloc[0]
    if first["with_form"] - first["as_is"] < TELLING:
        return []
    return [
        f"With {FORMS[str(first['form']).partition(' ')[0]]} of {first['factor']} a plain "
        f"regression orders {percent(first['with_form'])} of held-out pairs as published, without "
        f"it {percent(first['as_is'])}: --value-functions piecewise looks for such forms."
    ]


def _verdict(found: Investigation, counted: str, pairs: Agreement) -> str:
    others = found.alternatives
    if _is_by_chance(found):
        return (
            f"NOT AT ALL, as far as can be told: {counted}, but on shuffled ranks a formula does "
            "as well by chance. Its weights say little about the rating."
        )
    if others is not None and _is_a_coin(found):
        return (
            f"NOT AT ALL, as far as can be told: {counted}, but only {percent(others.formula)} of "
            "the pairs of products left out of the fit, where a coin toss gets 50%. Its weights "
            "say little about the rating."
        )
    if others is not None and others.is_curved:
        compared = _compared(others)
        if pairs.lost == 0:
            return f"Exactly: {counted}. But {compared}: other weights may be behind it."
        return (
            f"NOT AS A WEIGHTED SUM: {counted}, but {compared}. The ranking follows these factors "
            "in some other way, or factors that the table lacks: before you believe the weights, "
            "add what is missing, or try logarithms or ranks of factors, or products of them."
        )
    if pairs.lost == 0:
        return f"Exactly: {counted}."
    judged = others.formula if others is not None and others.n_pairs else pairs.share
    level = next(word for least, word in LEVELS if min(judged, pairs.share) >= least)
    return f"{level}: {counted}."


def _untested(found: Investigation) -> list[str]:
    """Say what the verdict does not rest on, where nothing was asked beyond the fit."""
    chance, others = found.chance, found.alternatives
    if (chance is not None and chance.can_tell) or (others is not None and others.n_pairs):
        return []
    return [
        "That is of the products it was fitted to: whether it orders others, or whether a formula "
        "does as well by chance, was not tested."
    ]


def _compared(others: Alternatives) -> str:
    """Say how much better curves or trees order products left out, and how sure that is."""
    sums = f"weighted sums order {percent(others.linear)}"
    if others.is_cut:
        sums += " (the one fitted to all products counted, because there was no time for another)"
    return (
        f"of the pairs of {plural(others.n_products, 'product')} left out of the fit, {sums} and "
        f"curves or trees {percent(others.flexible)}, {100 * others.gain:.1f} ± "
        f"{100 * others.gain_error:.1f} points more"
    )


def is_meaningless(found: Investigation) -> bool:
    """Tell whether the formula does no better than chance, so that what it says means nothing."""
    return _is_by_chance(found) or _is_a_coin(found)


def _is_by_chance(found: Investigation) -> bool:
    chance = found.chance
    return chance is not None and chance.can_tell and not chance.is_better_than_chance


def _is_a_coin(found: Investigation) -> bool:
    others = found.alternatives
    return others is not None and bool(others.n_pairs) and others.is_near_chance


def _elsewhere(found: Investigation) -> list[str]:
    """Say what becomes of the products that the formula was not fitted to."""
    how, rating = found.how_well, found.formula.rating_
    if how.elsewhere is None:
        return []
    fitted = [str(name) for name, weight in rating.category_weights.items() if weight > 0]
    return [
        f"It was fitted to the {how.n_products:,} products of {', '.join(fitted)} alone. Among the "
        f"{how.n_elsewhere:,} products of other categories it loses {how.elsewhere.lost:,} of "
        f"{how.elsewhere.pairs:,} published pairs ({percent(how.elsewhere.share)} are right)."
    ]


def how_well_rows(found: Investigation) -> list[tuple[str, ...]]:
    """Return the rows below ``HOW_WELL``: the formula beside a regression, curves and chance."""
    how, others = found.how_well, found.alternatives
    rows: list[tuple[str, ...]] = [
        (
            f"all {how.formula.pairs:,} pairs",
            percent(how.formula.share),
            percent(how.regression.share),
            "",
            "50%",
        )
    ]
    if 0 < how.formula_top.pairs < how.formula.pairs:
        tops = sorted(set(found.formula.rating_.tops))
        which = f"top {tops[0]}" if len(tops) == 1 else "top"
        rows.append(
            (
                f"the {how.formula_top.pairs:,} with a product of the {which}",
                percent(how.formula_top.share),
                percent(how.regression_top.share),
                "",
                "50%",
            )
        )
    rows.append(_objective_row(found))
    if others is not None and others.n_pairs:
        shares = others.formula, others.regression, others.flexible
        what = f"the {others.n_pairs:,} between products left out"
        rows.append((what, *map(percent, shares), "50%"))
    return rows


def _objective_row(found: Investigation) -> tuple[str, ...]:
    """Return the row of what was optimised, in which a formula that is proved is never behind."""
    how, rating = found.how_well, found.formula.rating_
    both = how.formula_objective, how.regression_objective
    if rating.problem.objective.by_position:
        return ("places off at the top, in all", *(f"{value:,.0f}" for value in both), "", "")
    return (
        f"optimised: top pairs count {1 + rating.emphasis:g} times",
        *map(percent, both),
        "",
        "",
    )


def formula_words(found: Investigation) -> list[str]:
    """Say what counts most, and what does not count; nothing where weights mean nothing."""
    if is_meaningless(found):
        return []
    weights = found.weights[found.unit]
    by_size = weights.reindex(weights.abs().sort_values(ascending=False, kind="stable").index)
    strongest = [
        f"{name} ({abs(value):.0f}%{', less is better' if value < 0 else ''})"
        for name, value in by_size.head(3).items()
        if value
    ]
    factors = found.formula.rating_.piece_of or [str(name) for name in weights.index]
    used = {name for name, value in zip(factors, weights, strict=True) if value}
    unused = [name for name in dict.fromkeys(factors) if name not in used]
    sentences = [f"What counts most: {', '.join(strongest)}."] if strongest else []
    if unused:
        sentences.append(f"Factors without any weight: {', '.join(unused)}.")
    return sentences


def selection_words(found: Investigation) -> list[str]:
    """Say what the formula for new products is; nothing where none was asked for."""
    if found.stable is None:
        return []
    return stable_words(found.stable.rating_, found.stable.solution_, found.stable.stable_)


def moved_words(found: Investigation) -> str:
    """Say how many products leave their published place, tie or band."""
    moved = int((found.ranking["moved"] != 0).sum())
    if moved == 0:
        return f"All {len(found.ranking):,} products are in their published place, tie or band."
    return (
        f"{moved:,} of {len(found.ranking):,} products are outside their published place, tie or "
        "band."
    )


def place_words(found: Investigation) -> list[str]:
    """Say that published places count products that are not here, where they do."""
    if found.table.target_is != "rank" or found.table.printed is None:
        return []
    last = found.table.places()["last"].tolist()
    printed = [str(text) for text in found.table.printed]
    if not any(
        text.isdecimal() and int(text) > end for text, end in zip(printed, last, strict=True)
    ):
        return []
    return [
        "Published places count products that are not here too; those by the formula count the "
        f"{len(last):,} that are."
    ]


def group_words(found: Investigation) -> list[str]:
    """Say whether the groups share one formula."""
    shared = found.shared
    if shared is None:
        return []
    compared = (
        f"on {plural(shared.n_products, 'product')} left out of the fit, each group's own formula "
        f"orders {percent(shared.own)} of the pairs as published, one formula for all groups "
        f"{percent(shared.shared)}"
    )
    if shared.is_refuted:
        said = f"The groups do not share one formula: {compared} (p = {shared.p_value:.2g})."
    else:
        said = (
            f"The groups were not found to need a formula each: {compared} (p = "
            f"{shared.p_value:.2g}). That does not prove that they share one."
        )
    each = found.each_group
    if each is None or not (each["lost_own"] > each["lost_shared"]).any():
        return [said]
    return [
        said,
        "A group's own formula may lose more of its pairs than the one for all: it, too, is found "
        "by what is optimised, in which pairs at the top count more.",
    ]


def left_out_words(found: Investigation) -> list[str]:
    """Say whether the run was interrupted, what could not be found out, and why."""
    missing = [
        words for name, words in QUESTIONS.items() if found.left_out.get(name) == INTERRUPTED
    ]
    sentences = []
    if found.interrupted:
        sentences.append(f"The run was interrupted; missing: {', '.join(missing) or 'nothing'}.")
    reasons = {
        name: why for name, why in found.left_out.items() if why not in (INTERRUPTED, TOO_SHORT)
    }
    sentences += [f"Left out, {QUESTIONS[name]}: {why}." for name, why in reasons.items()]
    short = [f"{QUESTIONS[name]} ({how_far})" for name, how_far in found.shortened.items()]
    if short:
        sentences.append(f"There was not enough time to finish: {', '.join(short)}.")
    not_begun = [QUESTIONS[name] for name in short_of_time(found) if name not in found.shortened]
    if not_begun:
        sentences.append(f"There was not enough time for: {', '.join(not_begun)}.")
    return sentences


def short_of_time(found: Investigation) -> list[str]:
    """Return the questions that more time would answer, or answer better."""
    not_begun = (name for name, why in found.left_out.items() if why == TOO_SHORT)
    return list(dict.fromkeys([*not_begun, *found.shortened]))


def trust_words(found: Investigation) -> list[str]:
    """Say whether the formula would hold for new products."""
    sentences = []
    if found.held_out is not None:
        sentences.append(held_out_words(found.held_out))
    if found.chance is not None:
        sentences.append(chance_words(found.chance))
    return sentences
