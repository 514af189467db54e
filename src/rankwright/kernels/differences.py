"""The largest of many studentised differences, draw by draw."""

from rankwright.kernels.compile import kernel

__all__ = ["largest_differences"]


@kernel
def largest_differences(draws, item, inverse_errors, above, below, largest):
    """Raise ``largest`` to the largest studentised difference of one item to others.

    Parameters
    ----------
    draws : (n_draws, n_items) float64
    item : int
    inverse_errors : (n_items,) float64
        One over the standard error of the item's difference to each other item.
    above, below : (n_items,) bool
        Where the item minus the other counts, and where the other minus the item does.
    largest : (n_draws,) float64
        Changed in place.
    """
    n_draws, n_items = draws.shape
    for draw in range(n_draws):
        own = draws[draw, item]
        top = largest[draw]
        for other in range(n_items):
            difference = (own - draws[draw, other]) * inverse_errors[other]
            if above[other] and difference > top:
                top = difference
            if below[other] and -difference > top:
                top = -difference
        largest[draw] = top
