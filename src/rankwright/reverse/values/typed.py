"""Factors that do not count evenly, as people type them."""

from collections.abc import Sequence

__all__ = ["read_value_functions"]

EVERYWHERE = ("linear", "piecewise")
LEVELS = "levels"


def read_value_functions(
    texts: Sequence[str] | None, factors: Sequence[str]
) -> str | dict[str, list[float] | str]:
    """Return what RatingFormula takes as ``value_functions``: a word, or knots by factor.

    Examples
    --------
    >>> read_value_functions(["price: 60, 100", "fuel: levels"], ["price", "fuel", "doors"])
    {'price': [60.0, 100.0], 'fuel': 'levels'}
    >>> read_value_functions(["piecewise"], ["price"])
    'piecewise'
    """
    given = [text.strip() for text in texts or ["linear"]]
    if len(given) == 1 and given[0] in EVERYWHERE:
        return given[0]
    found: dict[str, list[float] | str] = {}
    for text in given:
        name, colon, knots = text.rpartition(":")
        name = name.strip()
        if not colon:
            raise ValueError(
                f"the value function {text!r} is not understood: give 'piecewise' alone, 'FACTOR: "
                f"60, 100' for knots, or 'FACTOR: {LEVELS}'"
            )
        if name not in factors:
            raise ValueError(
                f"{name!r} is not a factor here; the factors are {', '.join(map(repr, factors))}"
            )
        if name in found:
            raise ValueError(f"the value functions name {name!r} twice; list all its knots in one")
        found[name] = (
            LEVELS if knots.strip() == LEVELS else [_knot(one, text) for one in _split(knots)]
        )
    return found


def _split(knots: str) -> list[str]:
    return [one for one in knots.replace(";", ",").split(",") if one.strip()]


def _knot(text: str, whole: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(
            f"the value function {whole!r}: {text.strip()!r} is not a number; list the numbers "
            f"where the slope may change, or give '{LEVELS}'"
        ) from None
