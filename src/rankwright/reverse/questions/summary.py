"""A formula in words, for a spreadsheet, and while it is being found."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np

from rankwright.reverse.problem.reading import RatingData
from rankwright.reverse.progress import State, Status
from rankwright.reverse.questions.chance import ChanceCheck, HeldOut

__all__ = ["decimal", "excel_formula", "find_product", "progress_bar", "summary"]

MEANING = {
    Status.OPTIMAL: "No linear formula with these directions does better: proved.",
    Status.GAP: "Stopped at the gap asked for.",
    Status.TIME_LIMIT: "The time limit ended the proof.",
    Status.INTERRUPTED: "Interrupted; this is the best formula so far.",
    Status.WORK_LIMIT: "Some cells are too large to be cut further; the proof is open.",
    Status.SEARCHED: "Found by search; no proof was attempted beyond single pairs.",
}


def summary(
    formula: Any, data: RatingData, held_out: HeldOut | None, chance: ChanceCheck | None
) -> str:
    """Return a formula in words."""
    name = "position error" if formula.objective == "positions" else "statistic"
    lines = [f"Rating formula for {len(data.y)} products in {len(set(data.groups))} group(s)", ""]
    width = max(len(factor) for factor in data.factor_names)
    for j in np.argsort(-formula.shares_, kind="stable"):
        weight, share = formula.exact_weights_[j], formula.shares_[j]
        lines.append(
            f"  {data.factor_names[j]:<{width}}  {share:5.1f} %  weight {decimal(Fraction(weight))}"
        )
    lines += [
        "",
        f"{name} {formula.objective_:.6g}, bound {formula.bound_:.6g}, gap {formula.gap_:.3g} "
        f"({formula.status_}). {MEANING[Status(formula.status_)]}",
    ]
    if formula.n_twins_:
        lines.append(
            f"{formula.n_twins_} pairs have equal factors but different ranks, which no formula "
            f"explains; the best conceivable {name} is {formula.achievable_:.6g}."
        )
    if held_out is not None:
        lines.append(
            f"Of the pairs at the top, {held_out.measures.m1:.1%} are right on held-out products "
            f"(M1; of all pairs {held_out.measures.m2:.1%}, M2)."
        )
    if chance is not None:
        lines.append(_verdict(chance))
    return "\n".join(lines)


def _verdict(chance: ChanceCheck) -> str:
    reached = f"on shuffled ranks the same search reaches {chance.shuffled.mean():.4g} on average"
    if chance.is_better_than_chance:
        return f"Better than chance (p = {chance.p_value:.2g}): {reached}."
    return (
        f"NO BETTER THAN CHANCE (p = {chance.p_value:.2g}): {reached}. With so many factors for so "
        "few products a formula that fits says nothing about the rating."
    )


def decimal(value: Fraction) -> str:
    """Return a fraction as a decimal number, exactly where it has one of up to twenty places."""
    text = f"{value.numerator}"
    for places in range(21):
        scaled = value * 10**places
        if scaled.denominator == 1 and places:
            digits = f"{abs(scaled.numerator):0{places + 1}d}"
            sign = "-" if value < 0 else ""
            return f"{sign}{digits[:-places]}.{digits[-places:]}"
        if scaled.denominator == 1:
            return text
    return repr(float(value))


def excel_formula(
    weights: list[Fraction], names: list[str], columns: Mapping[str, str] | None, row: int
) -> str:
    """Return the weighted sum with cell references."""
    letters = {name: _column(j + 1) for j, name in enumerate(names)} if columns is None else columns
    absent = [name for name, w in zip(names, weights, strict=True) if w and name not in letters]
    if absent:
        raise ValueError(f"columns has no letters for {absent}; map each factor to its column")
    wrong = [str(c) for c in letters.values() if not re.fullmatch(r"\$?[A-Za-z]{1,3}", str(c))]
    if wrong:
        raise ValueError(f"columns has {wrong}; give letters such as 'B' or '$AC'")
    terms = [
        f"{decimal(w)}*{letters[name]}{row}" for name, w in zip(names, weights, strict=True) if w
    ]
    return "=" + ("+".join(terms).replace("+-", "-") or "0")


def find_product(names: list[str], product: Any) -> int:
    """Return the row of a product given by name or by row number."""
    if str(product) in names:
        return names.index(str(product))
    if isinstance(product, int | np.integer) and 0 <= product < len(names):
        return int(product)
    raise ValueError(f"no product {product!r}; name one of {names[:5]}... or give a row number")


@contextmanager
def progress_bar(
    verbose: bool, callback: Callable[[State], None] | None, time_limit: float
) -> Iterator[Callable[[State], None] | None]:
    """Yield what is called with each state of a fit: the caller's callback and a progress bar."""
    if not verbose:
        yield callback
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns) as bar:
        task = bar.add_task("searching", total=time_limit)

        def show(state: State) -> None:
            gap = abs(state.bound - state.objective)
            words = f"objective {state.objective:.6g}  bound {state.bound:.6g}  gap {gap:.3g}"
            bar.update(task, completed=state.seconds, description=words)
            if callback is not None:
                callback(state)

        yield show


def _column(number: int) -> str:
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
