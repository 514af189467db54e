"""The mean of the formulas that explain a published order, or published scores, up to noise.

A product has a hidden score: its formula's, plus a shift of its group, plus normal noise. What is
published is the order of hidden scores inside each group (the likelihood of ranks, Hoff 2007), or
the scores themselves. Everything is drawn in turn, given the rest (Gibbs). The unit of measure is
the noise, so that the weights' own scale says how much of the order they explain.
"""

import math

import numpy as np

from rankwright.kernels.compile import kernel, part
from rankwright.kernels.draws import draw_chi_square, draw_normal, draw_truncated

__all__ = ["mean_formula"]

# Spread of scores by the formula, in units of the noise. Where a formula explains the order without
# noise, nothing else keeps their ratio from growing until the draws stand still.
MOST_SIGNAL = 200.0
TINY = 1e-300
WEAK = 1e-3  # prior sum of squares of weights and shifts: next to nothing


@part
def order_as_published(hidden, levels, offsets):
    """Give the scores of each group to its products in the published order; ties share a mean."""
    for g in range(len(offsets) - 1):
        begin, end = offsets[g], offsets[g + 1]
        hidden[begin:end] = np.sort(hidden[begin:end])
        first = begin
        for i in range(begin, end):
            if i + 1 == end or levels[i + 1] != levels[i]:
                hidden[first : i + 1] = hidden[first : i + 1].mean()
                first = i + 1


@kernel
def add_up(fitted, columns, weights):
    """Set the scores by the formula: afresh, for the factors of many sweeps multiply errors."""
    fitted[:] = 0.0
    for j in range(len(weights)):
        for i in range(len(fitted)):
            fitted[i] += weights[j] * columns[j, i]


@part
def draw_hidden(hidden, fitted, shifts, levels, offsets, noise, state):
    """Draw hidden scores between those of the next levels below and above, and centre them."""
    for g in range(len(offsets) - 1):
        begin, end = offsets[g], offsets[g + 1]
        below, first = -np.inf, begin
        while first < end:
            last = first
            while last < end and levels[last] == levels[first]:
                last += 1
            above, i = np.inf, last
            while i < end and levels[i] == levels[last]:
                above = min(above, hidden[i])
                i += 1
            highest = -np.inf
            for i in range(first, last):
                mean = fitted[i] + shifts[g]
                low, high = (below - mean) / noise[i], (above - mean) / noise[i]
                hidden[i] = mean + noise[i] * draw_truncated(state, low, high)
                highest = max(highest, hidden[i])
            below, first = highest, last
        # Orders don't say where a group stands.
        hidden[begin:end] -= hidden[begin:end].mean()


@part
def draw_shifts(shifts, hidden, fitted, offsets, noise, centre, spread, state):
    """Draw the shift of each group, near the centre of all or, for infinite spread, anywhere."""
    for g in range(len(shifts)):
        begin, end = offsets[g], offsets[g + 1]
        precision = 1.0 / noise[begin] ** 2
        total = (hidden[begin:end] - fitted[begin:end]).sum() * precision + centre / spread
        precision = (end - begin) * precision + 1.0 / spread
        shifts[g] = total / precision + draw_normal(state) / math.sqrt(precision)


@part
def draw_weights(weights, columns, residuals, sizes, scaled, free, ridge, state):
    """Draw each weight given the others, not negative unless it is free; residuals follow."""
    for j in range(len(weights)):
        along = 0.0
        for i in range(len(residuals)):
            along += scaled[j, i] * residuals[i]
        precision = sizes[j] + ridge
        mean = (along + sizes[j] * weights[j]) / precision
        deviation = 1.0 / math.sqrt(precision)
        low = -np.inf if free[j] else -mean / deviation
        drawn = mean + deviation * draw_truncated(state, low, np.inf)
        change, weights[j] = drawn - weights[j], drawn
        for i in range(len(residuals)):
            residuals[i] -= change * columns[j, i]


@part
def draw_spread(shifts, variance, state):
    """Draw centre and variance of the groups' shifts: small where their scores compare."""
    centre = shifts.mean() + draw_normal(state) * math.sqrt(variance / len(shifts))
    squares = ((shifts - centre) ** 2).sum() + WEAK
    return centre, squares / draw_chi_square(state, len(shifts) + 1)


@kernel
def mean_formula(columns, levels, scores, offsets, noise, free, start, state, burn, sweeps, stop):
    """Return the mean of formulas whose scores have spread one, and how many it is the mean of.

    Parameters
    ----------
    columns : (d, n) float64
        Factors of products sorted by group and level, each with mean 0 and spread about 1.
    levels : (n,) int64
        The published order inside each group.
    scores : (n,) or (0,) float64
        Published scores, of spread about one; without them the order is all there is.
    offsets : (g + 1,) int64
        Where groups begin.
    noise : (n,) float64
        How noisy products are beside each other; those of a group alike.
    free : (d,) bool
        Weights that may be negative.
    start : (d,) float64
    state : (1,) uint64
        Of the random numbers.
    burn, sweeps : int
        Draws to leave out, and to average.
    stop : (1,) bool
    """
    d, n = columns.shape
    n_groups, is_known = len(offsets) - 1, len(scores) > 0
    group = np.repeat(np.arange(n_groups), offsets[1:] - offsets[:-1])
    scaled = columns / (noise * noise)
    sizes = (scaled * columns).sum(axis=1)
    weights, shifts, total, drawn = start.copy(), np.zeros(n_groups), np.zeros(d), 0
    fitted = np.zeros(n)
    add_up(fitted, columns, weights)
    hidden = scores.copy() if is_known else fitted.copy()
    if not is_known:
        order_as_published(hidden, levels, offsets)
    ridge, centre = 0.0, 0.0
    variance = 1.0 if is_known and n_groups > 1 else np.inf  # of shifts
    for sweep in range(burn + sweeps):
        if stop[0]:
            break
        if not is_known:
            draw_hidden(hidden, fitted, shifts, levels, offsets, noise, state)
        draw_shifts(shifts, hidden, fitted, offsets, noise, centre, variance, state)
        residuals = hidden - fitted - shifts[group]
        draw_weights(weights, columns, residuals, sizes, scaled, free, ridge, state)
        add_up(fitted, columns, weights)
        signal = math.sqrt(max(fitted.var(), TINY))
        # A common factor for all of them, given their proportions (Liu and Sabatti 2000).
        size = ridge * (weights * weights).sum() + ((residuals / noise) ** 2).sum()
        factor = math.sqrt(draw_chi_square(state, n + d) / max(size, TINY))
        if not is_known:
            factor = min(factor, MOST_SIGNAL / signal)
        weights, hidden, fitted, shifts = (
            weights * factor,
            hidden * factor,
            fitted * factor,
            shifts * factor,
        )
        ridge = draw_chi_square(state, d + 1) / ((weights * weights).sum() + WEAK)
        if is_known and n_groups > 1:
            centre, variance = draw_spread(shifts, variance * factor * factor, state)
        if sweep >= burn:
            total += weights / (signal * factor)
            drawn += 1
    return total / max(drawn, 1), drawn
