"""The largest of many studentised differences, draw by draw."""

from rankwright.kernels.compile import kernel

__all__ = ["largest_differences"]


@kernel
def largest_differences(draws, item, inverse_errors, above, below, largest):
    """Raise ``largest`` to the largest studentised difference of one item to others.

    Parameters
    ----------
    draws : (n_items, n_draws) float64
        Items in rows, so that the loops over draws run along memory and need no branches.
    item : int
    inverse_errors : (n_items,) float64
        One over the standard error of the item's difference to each other item.
    above, below : (n_items,) bool
        Where the item minus the other counts, and where the other minus the item does.
    largest : (n_draws,) float64
        Changed in place.
    """
    n_items, n_draws = draws.shape
    for other in range(n_items):
        scale = inverse_errors[other]
        if above[other] and below[other]:
            for draw in range(n_draws):
                difference = abs(draws[item, draw] - draws[other, draw]) * scale
                largest[draw] = difference if difference > largest[draw] else largest[draw]
        elif above[other] or below[other]:
            scale = scale if above[other] else -scale
            for draw in range(n_draws):
                difference = (draws[item, draw] - draws[other, draw]) * scale
                largest[draw] = difference if difference > largest[draw] else largest[draw]
