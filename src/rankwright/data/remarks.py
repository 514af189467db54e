"""What is said of the rows of a text table that were skipped, filled up, or no rows of it."""

from collections.abc import Sequence

from rankwright.data.observations import count

__all__ = ["TAIL", "nameless_notes", "reading_notes", "row_name"]

TAIL = 60  # rows among which remarks below the table are looked for
SHOWN = 60  # characters of a remark


def reading_notes(
    n_blank: int, short: Sequence[int], remarks: Sequence[Sequence[str]], end: int
) -> list[str]:
    """Tell of blank rows, of short ones by their numbers, and of remarks from a record on."""
    notes = []
    if n_blank:
        notes.append(f"Blank rows skipped: {n_blank}.")
    if len(short):
        notes.append(
            f"Rows with fewer values than the header: {len(short)} (first: row {short[0]}); "
            "what they lack counts as missing."
        )
    if written := [" ".join(filter(None, record)) for record in remarks if any(record)]:
        first = written[0] if len(written[0]) <= SHOWN else written[0][:SHOWN].rstrip() + "..."
        notes.append(
            f"Remarks below the table left out, from row {end + 1} on: {first!r}"
            + (f" and {len(written) - 1} more." if len(written) > 1 else ".")
        )
    return notes


def nameless_notes(places: Sequence[int], records: Sequence[Sequence[str]]) -> list[str]:
    """Tell of rows that were left out because no column of theirs has a name."""
    if not places:
        return []
    first = next(filter(None, records[places[0]]))
    return [
        f"{count(len(places), 'row')} left out, with values only in columns without a name "
        f"(first: row {places[0] + 1}, {first!r})."
    ]


def row_name(names: Sequence[str]) -> str:
    """Name the column of the rows' own names, which R writes without one."""
    return "row name" if "row name" not in names else "row name (2)"
