"""What can be done about missing factors, and what each remedy does, in numbers."""

from typing import TYPE_CHECKING

from rankwright.cli.output import Output

if TYPE_CHECKING:
    from rankwright.data import ItemTable

__all__ = ["offer_remedies", "refuse_gaps"]


def offer_remedies(output: Output, table: "ItemTable") -> None:
    """Say what each remedy leaves out or fills in, and how well a plain regression then fits."""
    from rankwright.comparison.remedies import LARGEST, try_remedies
    from rankwright.data.observations import count

    if output.quiet:
        return
    gaps = int(table.X.isna().to_numpy().sum())
    tried = len(table) <= LARGEST
    output.note(
        f"{count(gaps, 'value')} of factors missing. What can be done"
        + (", and Kendall's tau of a plain regression on what is left:" if tried else ":")
    )
    for one in try_remedies(table):
        if one.failure is not None:
            output.note(f"  --missing {one.remedy:<10}  not possible: {one.failure}")
            continue
        known = "unknown" if one.tau is None else f"{one.tau:.3f}"
        tau = f", tau {known}" if tried else ""
        items, factors = count(one.items, "item"), count(one.factors, "factor")
        output.note(f"  --missing {one.remedy:<10}  {items} of {len(table):,}, {factors}{tau}")


def refuse_gaps(table: "ItemTable") -> None:
    """Refuse a table whose factors have gaps, with all that can be done about them."""
    from rankwright.data.observations import count, examples
    from rankwright.data.remedies import Remedy

    gaps = table.X.isna()
    if not gaps.to_numpy().any():
        return
    factors = [repr(str(name)) for name in table.X.columns[gaps.any()]]
    items = [repr(str(name)) for name in table.items[gaps.any(axis=1)]]
    *most, last = (f"--missing {remedy}" for remedy in Remedy)
    raise ValueError(
        f"{table.source}: {examples(factors, len(factors))} missing for "
        f"{count(len(items), 'item')} of {len(table):,} ({examples(items, len(items))}), and a "
        f"formula needs every value; give {', '.join(most)} or {last}"
    )
