"""What a comparison of rankers shows, in plain words."""

from rankwright.comparison import Comparison
from rankwright.data import ItemTable

__all__ = ["told_apart", "why_behind"]

FORMULA = "rating-formula"
# Rankers that learn from the values of a score, not from its order alone.
BY_VALUE = ("least-squares-ranker",)


def why_behind(result: Comparison, data: ItemTable) -> str:
    """Say why a rating formula comes behind those that learn from published scores."""
    names = [one.name for one in result.results if one.failure is None]
    if data.target_is != "score" or FORMULA not in names:
        return ""
    ahead = [name for name in names[: names.index(FORMULA)] if name in BY_VALUE]
    if not ahead:
        return ""
    learn = "learns" if len(ahead) == 1 else "learn"
    return (
        f"{FORMULA} learns from the order of {data.target!r} alone. Scores were given here, and "
        f"they say more than their order: {', '.join(ahead)} {learn} from the scores themselves."
    )


def told_apart(result: Comparison) -> str:
    """Say which rankers can't be told from the best, and what these lists could have shown."""
    alike, best = result.alike, result.results[0].name
    if not alike:
        return ""
    if len(result.lists) < (needed := result.lists_needed):
        return (
            f"{len(result.lists)} lists are too few to tell these rankers apart: the randomisation "
            f"test, adjusted for all pairs of them, finds no difference, however large, on fewer "
            f"than {needed}. Hold out more lists, or compare fewer rankers."
        )
    shown = result.tests().loc[best].loc[alike, "detectable"].max()
    power = (
        "" if shown != shown
        else f" A true difference of {shown:.2g} would show up in four of five such comparisons."
    )  # fmt: skip
    return (
        f"Not clearly different from {best} on these lists (randomisation test, adjusted for all "
        f"pairs of rankers): {', '.join(alike)}.{power}"
    )
