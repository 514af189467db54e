"""Columns of numbers that are no factors: the published order itself, row numbers, years, codes."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Agreement",
    "CONSTANT",
    "EARLIER",
    "FEWEST",
    "ID_NAME",
    "LOOKS_LIKE",
    "Order",
    "RANKS",
    "RANK_NAME",
    "RANK_WORD",
    "ROW_NAME",
    "SCORES",
    "SCORE_NAME",
    "SCORE_WORD",
    "TOTAL_WORD",
    "YEAR",
    "YEAR_NAME",
    "agreement",
    "runs_against",
    "why_no_factor",
    "why_of_other_year",
    "without_year",
]

CONSTANT = "in every row"
LOOKS_LIKE = "looks like"
TURNED = {"rank": ", its smallest values first", "score": " turned around"}
FEWEST = 10  # rows that can tell a column which happens to be in order from one which is the order
MOST_COMPARED = 1500
MOST_LISTS = 10  # rows of the list of which a table shows the top, in rows of the table
DECIDED = 0.5  # the share of pairs that a column has to order to be the order: ties say nothing
THE_ORDER, LIKELY, NAMED = 0.97, 0.9, 0.7  # shares of pairs in order less those out of order
AROUND = (  # what may stand beside the word in the name of another rank or of the score
    r"(?:world|global|national|country|regional|domestic|state|local|overall|total|final|"
    r"composite|aggregate|weighted|published|previous|prior|last|former|old|new|year(?:'?s)?|"
    r"us|uk|n-1|\d{4}|[\W_])*"
)
WITHIN = r"(?:(?:region|continent|area|county|district|city|division|conference|class)[\W_]*)?"
RANKS = (  # the longer of two words that begin alike first
    r"rank(?:ing)?|rang|posición|posizione|pos(?:ition)?|placering|place|standing|platz|puesto|"
    r"classement|plats|plassering"
)
SCORES = r"scores?|ratings?|points|pts|punkte|puntos|punti|puntuación|punteggio"
EARLIER = re.compile(
    r"(?:^|[\W_])(?:last|previous|prev|prior|former|letzte[nrs]?|vorherige[nrs]?|vorwoche|vormonat|"
    r"vorjahr(?:es)?|précédente?|dernière|anterior|precedente|föregående|forrige)(?:$|[\W_])",
    re.IGNORECASE,
)
PERIOD = re.compile(
    r"week|month|quarter|year|season|edition|woche|monat|jahr|saison|semaine|mois|année|semana|mese|mes|"
    rf"año|settimana|anno|år|'s|{RANKS}",
    re.IGNORECASE,
)
RANK_NAME = re.compile(rf"{AROUND}{WITHIN}(?:{RANKS}){AROUND}", re.IGNORECASE)
RANK_WORD = re.compile(  # a standing tackle is no rank, and neither is a place of birth
    rf"(?:^|[\W_])(?:{RANKS})(?:$|(?<!standing)(?<!place)(?<!pos)(?<!position)[\W_\d]|[\W_\d]+$)",
    re.IGNORECASE,
)
SCORE_NAME = re.compile(  # a year alone is what was scored then
    rf"{AROUND}(?:{SCORES}|index|grade){AROUND}|(?:19|20)\d\d", re.IGNORECASE
)
SCORE_WORD = re.compile(rf"(?:^|[\W_])(?:{SCORES}|index)(?:$|[\W_\d])", re.IGNORECASE)
TOTAL_WORD = re.compile(
    r"(?:^|[\W_])(?:(?:sub)?totals?|sum|overall|summe|gesamt(?:score|punkt(?:e|zahl)|wertung|summe|ergebnis)?|totale|somme|suma|totaal)(?:$|[\W_\d])",
    re.IGNORECASE,
)
CHANGE_WORD = re.compile(
    r"(?:^|[\W_])(?:change|evolution|difference|diff|variation|movement|delta|minus|veränderung)"
    r"(?:$|[\W_\d])",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
NO_WORD = re.compile(r"[\W_]+")
YEAR_NAME = re.compile(
    r"(?:^|.*[\W_])(?:year|jahr|an|année|año|anno|season|edition|founded|founding|established|"
    r"gründung|gründungsjahr|gegründet|fondée?|fondation|création|fundación|fundad[oa]|fondazione)"
    r"(?:$|[\W_\d].*)",
    re.IGNORECASE,
)
ROW_NAME = re.compile(
    r"column \d+|unnamed.*|row[\W_]?(?:names?|number|no)?|index|#|(?:sr?\.?\s?)?n[or]\.?",
    re.IGNORECASE,
)
ID_NAME = re.compile(
    r"(?i:id[_.-]\w+|(?:.*[\W_])?(?:u?ids?|unitid))"
    r"|.*[a-z](?:ID|Id)s?"  # CountryID, but no Humid
)
CODE_NAME = re.compile(
    r"(?i:(?:.*[\W_])?(?:codes?|key|isbn|ean|sku|zip|zip ?code|postcode|plz|phone))"
    r"|.*[a-z](?:Code|Key)s?"
)


@dataclass(frozen=True, eq=False)
class Order:
    """The published order that factors are to explain."""

    target: str
    target_is: str
    y: NDArray[np.float64]  # larger is better
    groups: NDArray[Any] | None = None


def why_no_factor(name: str, values: NDArray[np.float64], order: Order) -> str | None:
    """Say why a column of numbers is no factor; None if it may be one."""
    missing = np.isnan(values)
    known = values[~missing] if missing.any() else values
    reasons = (why(name, values, known, order) for why in REASONS)
    return next((reason for reason in reasons if reason is not None), None)


def why_of_other_year(name: str, order: Order, names: Collection[str]) -> str | None:
    """Say that a column is of another year than the order, where there is one of its year."""
    year, own = YEAR.search(order.target), YEAR.search(name)
    if own is None or (year is not None and own[0] == year[0]):
        return None
    if without_year(name) == without_year(order.target):
        return f"is {order.target!r} of another year; factors=[...] includes it anyway"
    if year is None or YEAR.sub(year[0], name) not in names:
        return None
    return f"is of {own[0]}, and {YEAR.sub(year[0], name)!r} is of the year of {order.target!r}"


def without_year(name: str) -> str:
    """Return the words of a name without its year, so that ranks of two years have the same."""
    return NO_WORD.sub(" ", YEAR.sub("", name)).strip().casefold()


def runs_against(name: str, ranks: NDArray[np.float64], order: Order) -> bool:
    """Tell whether the items of rank 1 and up have scores from the smallest one up."""
    known = ranks[~np.isnan(ranks)]
    if order.target_is != "score" or not RANK_NAME.fullmatch(name) or known.min(initial=2) != 1:
        return False
    found = agreement(ranks, order)
    return found.n_ordered >= FEWEST and found.share >= LIKELY


@dataclass(frozen=True)
class Agreement:
    """How many pairs that differ in the published order a column orders alike, turns, or ties."""

    alike: int
    turned: int
    tied: int

    @property
    def n_ordered(self) -> int:
        """The pairs that differ in both."""
        return self.alike + self.turned

    @property
    def share(self) -> float:
        """The share of pairs ordered as published, less those turned, of those that differ."""
        return (self.alike - self.turned) / self.n_ordered if self.n_ordered else 0.0

    @property
    def percent(self) -> float:
        """The percentage of the pairs that differ in both ordered one way, rounded down."""
        return 1000 * max(self.alike, self.turned) // max(self.n_ordered, 1) / 10


def agreement(values: NDArray[np.float64], order: Order) -> Agreement:
    """Compare the pairs of one group by a column and by the published order."""
    is_known = np.isfinite(values)
    rows: Any = range(len(values)) if is_known.all() else np.flatnonzero(is_known)
    groups = None
    if order.groups is not None:
        rows = np.asarray(rows)
        groups = np.unique(order.groups, return_inverse=True)[1]
        rows = rows[np.argsort(groups[rows], kind="stable")][:MOST_COMPARED]
    elif len(rows) > MOST_COMPARED:
        chosen = np.linspace(0, len(rows) - 1, MOST_COMPARED).astype(np.int64)
        rows = chosen if is_known.all() else rows[chosen]
    x, y = _places(values[rows]), _places(order.y[rows])
    above = y[:, None] > y
    if groups is not None:
        above &= groups[rows][:, None] == groups[rows]
    alike = int(np.count_nonzero(above & (x[:, None] > x)))
    turned = int(np.count_nonzero(above & (x[:, None] < x)))
    return Agreement(alike, turned, int(np.count_nonzero(above)) - alike - turned)


def _places(values: NDArray[np.float64]) -> NDArray[np.int16]:
    """Return the place of each value among the different ones: small numbers compare faster."""
    return np.unique(values, return_inverse=True)[1].astype(np.int16)


def _constant(name: str, values: Any, known: NDArray[np.float64], order: Order) -> str | None:
    if len(known) < 2 or (known != known[0]).any():
        return None
    if len(known) == len(order.y):
        return f"is {known[0]:g} {CONSTANT}"
    return f"is {known[0]:g} wherever it is filled ({len(known):,} of {len(order.y):,} rows)"


def _row_number(
    name: str, values: NDArray[np.float64], known: NDArray[np.float64], order: Order
) -> str | None:
    if len(values) < 2 or not (np.diff(values) == 1).all():
        return None
    if ROW_NAME.fullmatch(name) or (len(values) >= FEWEST and values[0] in {0, 1}):
        return "numbers the rows"
    return None


def _year(name: str, values: Any, known: NDArray[np.float64], order: Order) -> str | None:
    if not len(known) or known.min() < 1800 or known.max() > 2100:
        return None
    if not (known == np.round(known)).all():
        return None
    few = len(known) >= FEWEST and np.ptp(known) <= 60 and 2 * len(np.unique(known)) <= len(known)
    return "holds years" if YEAR_NAME.fullmatch(name) or few else None


def _code(name: str, values: Any, known: NDArray[np.float64], order: Order) -> str | None:
    is_id = ID_NAME.fullmatch(name) is not None
    if not (is_id or CODE_NAME.fullmatch(name)) or (known != np.round(known)).any():
        return None
    n_different = len(np.unique(known))
    if n_different == len(known) > 2:
        return "identifies the rows"
    return "holds identifiers" if is_id and n_different > 2 else None


def _earlier(name: str, values: Any, known: NDArray[np.float64], order: Order) -> str | None:
    """Tell places of an earlier time by a name that says nothing else, and by whole numbers."""
    rest = NO_WORD.sub("", PERIOD.sub("", EARLIER.sub(" ", name)))
    if rest or not EARLIER.search(name) or not len(known):
        return None
    are_places = (known == np.round(known)).all() and known.min() >= 1
    if not are_places or known.max() > MOST_LISTS * len(values):
        return None
    return "is another order, of an earlier time; factors=[...] includes it anyway"


def _the_order(
    name: str, values: NDArray[np.float64], known: NDArray[np.float64], order: Order
) -> str | None:
    found = agreement(values, order)
    decided = found.n_ordered >= max(FEWEST, DECIDED * (found.n_ordered + found.tied))
    counted = len(known) >= FEWEST and decided
    what = {"rank": "the rank", "score": "the score"}[order.target_is]
    if CHANGE_WORD.search(name) and (RANK_WORD.search(name) or SCORE_WORD.search(name)):
        return "tells how a rank or score changed or differs; factors=[...] includes it anyway"
    if RANK_NAME.fullmatch(name):
        return f"is another rank beside {what} {order.target!r}; factors=[...] includes it anyway"
    is_score = order.target_is == "rank" and SCORE_WORD.search(name) is not None
    limit = NAMED if SCORE_NAME.fullmatch(name) else LIKELY if is_score else THE_ORDER
    if not counted or abs(found.share) < limit:
        return None
    looks = "the score behind it" if is_score and found.share > 0 else "the order itself"
    turned = "" if found.share > 0 else TURNED[order.target_is]
    compared = "of the pairs that it does not tie" if found.tied else "of the pairs"
    said = (
        f"orders the items as {what} does{turned} ({found.percent:.1f}% {compared}) and "
        f"{LOOKS_LIKE} {looks}; factors=[...] includes it anyway"
    )
    if not turned or order.target_is == "score" or not (is_score or TOTAL_WORD.search(name)):
        return said
    return f"{said}; if {-order.y.min():g} is best in {order.target!r}, pass target_is='score'"


Reason = Callable[[str, NDArray[np.float64], NDArray[np.float64], Order], str | None]
REASONS: tuple[Reason, ...] = (_constant, _row_number, _year, _code, _earlier, _the_order)
