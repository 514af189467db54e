"""Columns that sum up the others, count rows, or describe the items, judged by their names."""

import re

__all__ = ["is_summary"]

# Columns that sum up the others, or only count rows.
SUMMARY = re.compile(
    r"(overall|total|final)?[ _.-]*(average|avg\.?|mean|overall|total|sum|rank(ing)?|place"
    r"|position|#|no\.?|id|(durch)?schnitt|mittel(wert)?|gesamt|summe|rang|platz)"
    r"([ _.-]*(score|rank|win[ _.-]?rate))?\s*([(\[%↑↓].*)?",
    re.IGNORECASE,
)
# Columns that describe the items.
DESCRIPTION = re.compile(
    r"#?\s*(num(ber)?[ _.-]?(of)?[ _.-]?)?(active[ _.-]?)?(param(eter)?s?|size|year|released?"
    r"|votes|battles|games|matches|comparisons)\s*([(\[].*)?",
    re.IGNORECASE,
)


def is_summary(name: str) -> bool:
    """Tell whether a column's name is that of a summary or a description."""
    return any(one.fullmatch(name.strip()) for one in (SUMMARY, DESCRIPTION))
