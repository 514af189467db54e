"""Which way factors count, as the command line says it."""

from collections.abc import Mapping, Sequence

from rankwright.cli.reading import listed

__all__ = ["read_signs"]

EVERYWHERE = {"auto": None, "positive": "+", "free": "free"}


def read_signs(
    signs: str, less_is_better: str | None, factors: Sequence[str]
) -> str | Mapping[str, str]:
    """Return what RatingFormula takes as ``signs``: a word, or a sign by factor."""
    less = listed(less_is_better, "--less-is-better")
    each = {} if signs in EVERYWHERE else dict(_sign(part) for part in listed(signs, "--signs"))
    for name in [*less, *each]:
        if name not in factors:
            raise ValueError(
                f"{name!r} is not a factor here; the factors are {', '.join(map(repr, factors))}"
            )
    if not less and not each:
        return signs
    everywhere = EVERYWHERE.get(signs)
    rest = {} if everywhere is None else dict.fromkeys(factors, everywhere)
    return rest | each | dict.fromkeys(less, "-")


def _sign(part: str) -> tuple[str, str]:
    name, equals, sign = part.rpartition("=")
    if not equals or sign.strip() not in {"+", "-", "free"}:
        raise ValueError(
            f"--signs {part}: give auto, positive, free, or FACTOR=+, FACTOR=- and FACTOR=free "
            "with commas between"
        )
    return name.strip(), sign.strip()
