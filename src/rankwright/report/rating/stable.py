"""The formula for new products, beside the accurate one."""

from collections.abc import Iterator

from rankwright.report.page import html_table, paragraph, preformatted
from rankwright.report.words import selection_words
from rankwright.reverse import Investigation
from rankwright.reverse.stable import trial_words

__all__ = ["stable_parts"]


def stable_parts(found: Investigation) -> Iterator[str]:
    """Yield what the formula is, how it was chosen, and the formula for a spreadsheet."""
    if found.stable is None or found.stable.stable_ is None:
        return
    yield from map(paragraph, selection_words(found))
    trials = found.stable.stable_.trials
    if trials:
        yield paragraph(
            "Held-out products, mean shares over folds. Behind: by how much the sum of the three "
            "is below that of the formula chosen, with its standard error. A steadier formula is "
            "kept unless another is ahead by more than two of these."
        )
        rows = [
            (
                trial_words(one) + (", chosen" if number == 0 else ""),
                *(f"{share:.3f}" for share in (one.m1, one.m2, one.m3)),
                "" if number == 0 else f"{one.behind:.3f} ± {one.error:.3f}",
            )
            for number, one in enumerate(trials)
        ]
        yield html_table(["formula", "M1", "M2", "M3", "behind"], rows)
    yield paragraph("For a spreadsheet, as above:")
    yield preformatted(found.stable.to_excel_formula())
