"""The Plackett-Luce likelihood of rankings with ties."""

import numpy as np

from rankwright.kernels.compile import kernel, part

__all__ = ["plackett_luce"]


# What rounding errors leave of a sum of fractional weights is not a choice of its own.
ROUNDING = 1e-9


@kernel
def plackett_luce(scores, weights, levels, groups, gradient, curvature):
    """Return the negative log-likelihood of all groups, write gradient and second derivatives.

    ``curvature`` is the diagonal of the Hessian; of size 0 it is left out.

    Rows are sorted by group and level, worst first; a row of weight w counts as w tied rows. A
    level of t rows is chosen, by Efron's rule, from sums B + D, B + D (1 - 1/t), ..., B + D/t: D is
    the sum of exp(score) of the level, B that of the rows below it. Of a fractional t, the last
    choice counts for the fraction. Sums are kept relative to the largest score so far.
    """
    value = 0.0
    n_levels = levels.size - 1
    shifts, below, ties = np.empty(n_levels), np.empty(n_levels), np.empty(n_levels)
    counts = np.zeros(n_levels)
    for g in range(groups.size - 1):
        shift, rest = -np.inf, 0.0
        for level in range(groups[g], groups[g + 1]):
            start, end = levels[level], levels[level + 1]
            before = shift
            for i in range(start, end):
                shift = max(shift, scores[i])
            tied = 0.0
            for i in range(start, end):
                counts[level] += weights[i]
                tied += weights[i] * np.exp(scores[i] - shift)
                value -= weights[i] * (scores[i] - shift)
            rest *= np.exp(before - shift)
            shifts[level], below[level], ties[level] = shift, rest, tied
            for j in range(_choices(counts[level])):
                share = 1.0 - j / counts[level]
                value += min(1.0, counts[level] - j) * np.log(rest + tied * share)
            rest += tied
        # Sums over better levels of 1 / (their sums), and of its square, relative to the shift.
        above, above_squared = 0.0, 0.0
        for level in range(groups[g + 1] - 1, groups[g] - 1, -1):
            if level + 1 < groups[g + 1]:
                fall = np.exp(shifts[level] - shifts[level + 1])
                above *= fall
                above_squared *= fall * fall
            here, inside, here_squared, inside_squared = 0.0, 0.0, 0.0, 0.0
            for j in range(_choices(counts[level])):
                share = 1.0 - j / counts[level]
                inverse = min(1.0, counts[level] - j) / (below[level] + ties[level] * share)
                here += inverse
                inside += share * inverse
                squared = inverse / (below[level] + ties[level] * share)
                here_squared += squared
                inside_squared += share * share * squared
            for i in range(levels[level], levels[level + 1]):
                odds = np.exp(scores[i] - shifts[level]) * (above + inside)
                gradient[i] = weights[i] * (odds - 1.0)
                if curvature.size > 0:
                    squares = np.exp(2.0 * (scores[i] - shifts[level]))
                    bend = odds - weights[i] * squares * (above_squared + inside_squared)
                    curvature[i] = weights[i] * max(bend, 0.0)
            above += here
            above_squared += here_squared
    return value


@part
def _choices(count):
    return int(np.ceil(count * (1.0 - ROUNDING)))
