"""Products that don't fit the formula."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rankwright.plots import plot_explanation
from rankwright.report.figures import inline_svg
from rankwright.report.page import details, html_table, paragraph
from rankwright.report.words import MEANINGLESS, is_meaningless
from rankwright.reverse import Investigation

__all__ = ["Suspect", "list_suspects", "suspect_parts"]

SUSPECTS, AGAINST = 15, 6  # rows of the table, and names in a row
EXPLAINED = 5  # suspects that are compared with a rival, factor by factor


@dataclass(frozen=True)
class Suspect:
    """A product that the formula misplaces.

    Attributes
    ----------
    product, group : Any
        The group is None in a table without groups.
    printed : str
        Its rank as it was published, or its place by the published scores, and its score.
    modelled : Any
        Its place by the formula.
    moved : int
        How many places that is above what is published; negative: below.
    lost : int
        The published pairs that it loses.
    rise_without, rise_freed : float
        How much the objective improves without it, and with its rank freed; never below 0.
    is_proved : bool
        Whether both are.
    against : list of str
        The products to which it loses pairs.
    """

    product: Any
    group: Any
    printed: str
    modelled: Any
    moved: int
    lost: int
    rise_without: float
    rise_freed: float
    is_proved: bool
    against: list[str]

    @property
    def reason(self) -> str:
        """Say what is odd about its rank, and with which products it is in conflict."""
        more = f" and {len(self.against) - AGAINST} more" if len(self.against) > AGAINST else ""
        relation = "better" if self.moved < 0 else "worse"
        says = f"published {relation} than its factors say; " if self.moved else ""
        return f"{says}in conflict with {', '.join(self.against[:AGAINST])}{more}"


def list_suspects(found: Investigation, most: int) -> list[Suspect]:
    """Return the products that the formula misplaces most, with what was published of them."""
    assert found.suspects is not None  # they are looked for before
    is_grouped, ranking = found.table.groups is not None, found.ranking
    # Names may repeat, so their published places tell them apart; ties share the first.
    who = list(zip(ranking.index, ranking["group"], ranking["published"], strict=True))
    printed = dict(zip(who, _published(found), strict=True))
    moved = dict(zip(who, ranking["moved"].tolist(), strict=True))
    rows: Iterator[Any] = found.suspects.head(most).itertuples()
    listed = []
    for row in rows:
        key = row.product, row.group if is_grouped else "all", row.published
        listed.append(
            Suspect(
                product=row.product,
                group=row.group if is_grouped else None,
                printed=printed.get(key, str(row.published)),
                modelled=row.modelled,
                moved=int(moved.get(key, 0)),
                lost=row.lost,
                rise_without=max(row.rise_without, 0.0),
                rise_freed=max(row.rise_freed, 0.0),
                is_proved=bool(row.proved),
                against=[str(name) for name in row.against],
            )
        )
    return listed


def _published(found: Investigation) -> list[str]:
    """Return the printed ranks, and for printed scores the places that they give, too."""
    ranking, printed = found.ranking, map(str, found.ranking["printed"])
    if found.table.target_is == "rank":
        return list(printed)
    places = ranking["published"].tolist()
    return [f"{place:,} ({text})" for place, text in zip(places, printed, strict=True)]


def suspect_parts(found: Investigation) -> Iterator[str]:
    """Yield the suspects, and why the formula orders the first of them otherwise."""
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
    listed = list_suspects(found, SUSPECTS)
    is_grouped = found.table.groups is not None
    rows = [
        (
            one.product,
            *([one.group] if is_grouped else []),
            one.printed,
            one.modelled,
            one.rise_without,
            one.rise_freed,
            one.reason,
        )
        for one in listed
    ]
    columns = ["product", "published", "by the formula", "left out", "freed", "reason"]
    yield html_table(columns[:1] + ["group"] * is_grouped + columns[1:], rows)
    for number, one in enumerate(listed[:EXPLAINED]):
        yield from _comparison(found, one, f"why{number}")


def _comparison(found: Investigation, suspect: Suspect, name: str) -> Iterator[str]:
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
