"""Group by group: whether the groups share one formula, and one for each."""

from collections.abc import Iterator

from rankwright.report.page import html_table, paragraph
from rankwright.report.words import group_words
from rankwright.reverse import Investigation

__all__ = ["group_parts"]


def group_parts(found: Investigation) -> Iterator[str]:
    """Yield what the groups share, and a formula for each of them."""
    yield from map(paragraph, group_words(found))
    each = found.each_group
    if each is None:
        return
    yield paragraph(
        "A formula for each group, fitted to it alone: the published pairs, those that it loses "
        "and those that the one formula for all loses."
    )
    columns = ["group", "products", "pairs", "lost by its own", "lost by one for all", "proof"]
    rows = [(str(row[0]), *row[1:6]) for row in each.itertuples(name=None)]
    yield html_table(columns, rows)
    yield paragraph("Their weights times ranges over all products, in percent:")
    weights = each[each.columns[5:]]
    if len(weights) <= weights.shape[1]:
        weights = weights.T  # the longer side goes down the page
    listed = [
        (str(row[0]), *(f"{value:.1f}" for value in row[1:]))
        for row in weights.itertuples(name=None)
    ]
    yield html_table(["", *map(str, weights.columns)], listed)
