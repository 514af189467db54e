"""Labels of two columns together: a competition and its event, a year and a region."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from rankwright.data.sheet import Sheet, cells

__all__ = ["with_joined", "with_parts"]


def with_parts(wanted: Iterable[str]) -> list[str]:
    """Return names of columns, and for those that name several at once each of them, too."""
    return [part for name in wanted for part in dict.fromkeys([name, *_split(name)])]


def with_joined(sheet: Sheet, wanted: Collection[str]) -> Sheet:
    """Add the columns that are asked for by the names of several, joined by commas."""
    made = {}
    for name in wanted:
        parts, there = _split(name), sheet.frame.columns
        if name not in there and len(parts) > 1 and all(part in there for part in parts):
            columns = [cells(sheet.frame[part]) for part in parts]
            made[name] = [", ".join(texts) for texts in zip(*columns, strict=True)]
    return replace(sheet, frame=sheet.frame.assign(**made)) if made else sheet


def _split(name: str) -> list[str]:
    return [part.strip() for part in str(name).split(",")]
