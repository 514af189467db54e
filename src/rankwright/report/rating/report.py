"""The report of a reverse-engineered rating: one page, whose sections have modules of their own."""

from collections.abc import Iterator

import rankwright
from rankwright.report.page import Section, page, paragraph, preformatted
from rankwright.report.rating.certainty import certificate_parts, how_sure_parts
from rankwright.report.rating.formula import formula_parts, how_well_parts
from rankwright.report.rating.groups import group_parts
from rankwright.report.rating.places import ranking_parts, what_if_parts
from rankwright.report.rating.scores import score_parts
from rankwright.report.rating.stable import stable_parts
from rankwright.report.rating.suspects import suspect_parts
from rankwright.report.words import is_meaningless
from rankwright.reverse import Investigation

__all__ = ["rating_report"]


def rating_report(found: Investigation, model_checksum: str | None = None) -> str:
    """Return the report as one HTML page that needs nothing else; it names its model file."""
    table = found.table
    groups = "" if table.groups is None else f" in {len(set(table.groups.tolist()))} groups"
    return page(
        f"The formula behind {table.source}",
        f"{len(table):,} products{groups}, {table.X.shape[1]} factors; "
        f"published {table.target} ({table.target_is})",
        _sections(found),
        f"Written by rankwright {rankwright.__version__}"
        + (f", with the model of checksum {model_checksum}." if model_checksum else "."),
    )


def _sections(found: Investigation) -> Iterator[Section]:
    yield Section("How well", tuple(how_well_parts(found)))
    by_scores = found.contradictions is not None
    if by_scores:
        yield Section("Published scores", tuple(score_parts(found)))
    yield Section("The formula", tuple(formula_parts(found)))
    if found.stable is not None:
        yield Section("For new products", tuple(stable_parts(found)))
    yield Section("How sure", tuple(how_sure_parts(found)))
    if not by_scores:  # scores say who contradicts them
        yield Section("Products that don't fit", tuple(suspect_parts(found)))
    yield Section("Published and reproduced ranks", tuple(ranking_parts(found)))
    if found.each_group is not None or found.shared is not None:
        yield Section("Group by group", tuple(group_parts(found)))
    if not is_meaningless(found):
        yield Section("What if", tuple(what_if_parts(found)))
    yield Section("In technical words", tuple(certificate_parts(found)))
    if found.table.notes:
        yield Section("The table", (*map(paragraph, found.table.notes),))
    yield Section("How to cite", tuple(_citation()))


def _citation() -> Iterator[str]:
    version = rankwright.__version__
    yield paragraph(
        "The method: A. Chang, C. Rudin, M. Cavaretta, R. Thomas and G. Chou, How to "
        "reverse-engineer quality rankings, Machine Learning 88 (2012), with a proof of "
        "optimality added. The software:"
    )
    yield preformatted(
        "@software{rankwright,\n"
        "  title   = {rankwright: learn rankings, explain them, find the cheapest way up},\n"
        f"  version = {{{version}}},\n}}"
    )
