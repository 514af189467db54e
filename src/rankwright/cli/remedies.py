"""What can be done about missing factors, and what each remedy does, in numbers."""

from typing import TYPE_CHECKING

from rankwright.cli.output import Output

if TYPE_CHECKING:
    from rankwright.data import ItemTable

__all__ = ["close_gaps", "offer_remedies"]


def offer_remedies(output: Output, table: "ItemTable") -> None:
    """Say what each remedy leaves out or fills in, and how well a plain regression then fits."""
    from rankwright.comparison.remedies import LARGEST, try_remedies
    from rankwright.data.observations import count

    if output.quiet:
        return
    gaps = int(table.X.isna().to_numpy().sum())
    tried = len(table) <= LARGEST
    with output.progress("Trying what can be done about missing factors"):
        remedies = list(try_remedies(table))
    output.note(
        f"{count(gaps, 'value')} of factors missing. What can be done"
        + (", and Kendall's tau of a plain regression on what is left:" if tried else ":")
    )
    for one in remedies:
        if one.failure is not None:
            output.note(f"  --missing {one.remedy:<10}  not possible: {one.failure}")
            continue
        known = "unknown" if one.tau is None else f"{one.tau:.3f}"
        tau = f", tau {known}" if tried else ""
        items, factors = count(one.items, "item"), count(one.factors, "factor")
        output.note(f"  --missing {one.remedy:<10}  {items} of {len(table):,}, {factors}{tau}")


def close_gaps(output: Output, table: "ItemTable") -> "ItemTable":
    """Leave out as little as makes a table whole, and say what that was."""
    from rankwright.data.remedies import Remedy

    if not table.X.isna().to_numpy().any():
        return table
    whole = table.complete(Remedy.FEW)
    done = " ".join(note for note in whole.notes if note not in table.notes)
    output.note(f"Done here, as --missing {Remedy.FEW} does: {done}")
    return whole
