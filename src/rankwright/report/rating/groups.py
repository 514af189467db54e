"""Group by group: whether the groups share one formula, and one for each."""

from collections.abc import Iterator

from rankwright.report.page import html_table, paragraph
from rankwright.report.words import EACH_GROUP, group_words
from rankwright.reverse import Investigation

__all__ = ["GROUP_WEIGHTS", "group_parts", "group_weights"]

GROUP_WEIGHTS = {
    "percent": "Their weights, in percent",
    "share": "Their weights times ranges over all products, in percent",
}


def group_parts(found: Investigation) -> Iterator[str]:
    """Yield what the groups share, and a formula for each of them."""
    yield from map(paragraph, group_words(found))
    each = found.each_group
    if each is None:
        return
    yield paragraph(
        "A formula for each group, fitted to that group alone: the group's published pairs, how "
        "many its own formula loses, and how many the one formula for all groups loses."
    )
    rows = [(str(row[0]), *row[1:6]) for row in each.itertuples(name=None)]
    yield html_table([*EACH_GROUP, "proof"], rows)
    yield paragraph(f"{GROUP_WEIGHTS[found.unit]}:")
    yield html_table(*group_weights(found))


def group_weights(found: Investigation) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the header and the rows of the groups' weights, the longer side down the page."""
    assert found.each_group is not None
    weights = found.each_group[found.each_group.columns[5:]]
    if len(weights) <= weights.shape[1]:
        weights = weights.T
    listed = [
        (str(row[0]), *(percent_words(value) for value in row[1:]))
        for row in weights.itertuples(name=None)
    ]
    return ["", *map(str, weights.columns)], listed


def percent_words(value: float) -> str:
    """Write a weight in percent; nothing where a group has no formula."""
    return "–" if value != value else f"{round(value, 1) + 0.0:.1f}"
