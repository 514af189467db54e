"""The largest of many studentised differences, draw by draw."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["largest_differences"]


@kernel
def largest_differences(draws, item, inverse_errors, slack_above, slack_below, largest):
    """Raise ``largest`` to the largest studentised difference of one item to others.

    Parameters
    ----------
    draws : (n_items, n_draws) float64
        Items in rows, so that the loops over draws run along memory and need no branches.
    item : int
    inverse_errors : (n_items,) float64
        One over the standard error of the item's difference to each other item.
    slack_above, slack_below : (n_items,) float64
        What is added to the item minus the other, and to the other minus the item; -inf where that
        difference does not count.
    largest : (n_draws,) float64
        Changed in place.
    """
    n_items, n_draws = draws.shape
    for other in range(n_items):
        scale, up, down = inverse_errors[other], slack_above[other], slack_below[other]
        if up == -np.inf and down == -np.inf:
            continue
        for draw in range(n_draws):
            difference = (draws[item, draw] - draws[other, draw]) * scale
            higher = difference + up if difference + up > down - difference else down - difference
            largest[draw] = higher if higher > largest[draw] else largest[draw]
