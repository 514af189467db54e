"""The Plackett-Luce likelihood of rankings with ties."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["plackett_luce"]


@kernel
def plackett_luce(scores, levels, groups, gradient):
    """Return the negative log-likelihood of all groups and write its gradient.

    Rows are sorted by group and level, worst first. A level of t tied rows is chosen, by Efron's
    rule, from sums R, R - D/t, ..., R - D (t - 1)/t: R is the sum of exp(score) of the rows at this
    level and below, D that of the level alone. Sums are kept relative to the largest score so far.
    """
    value = 0.0
    shifts = np.empty(levels.size - 1)
    rests = np.empty(levels.size - 1)
    ties = np.empty(levels.size - 1)
    for g in range(groups.size - 1):
        shift, rest = -np.inf, 0.0
        for level in range(groups[g], groups[g + 1]):
            start, end = levels[level], levels[level + 1]
            before = shift
            for i in range(start, end):
                shift = max(shift, scores[i])
            tied = 0.0
            for i in range(start, end):
                tied += np.exp(scores[i] - shift)
                value -= scores[i] - shift
            rest = rest * np.exp(before - shift) + tied
            shifts[level], rests[level], ties[level] = shift, rest, tied
            for j in range(end - start):
                value += np.log(rest - tied * j / (end - start))
        above = 0.0  # the sum over better levels of 1 / (their sums), relative to the current shift
        for level in range(groups[g + 1] - 1, groups[g] - 1, -1):
            start, end = levels[level], levels[level + 1]
            if level + 1 < groups[g + 1]:
                above *= np.exp(shifts[level] - shifts[level + 1])
            here, inside = 0.0, 0.0
            for j in range(end - start):
                share = j / (end - start)
                inverse = 1.0 / (rests[level] - ties[level] * share)
                here += inverse
                inside += (1.0 - share) * inverse
            for i in range(start, end):
                gradient[i] = np.exp(scores[i] - shifts[level]) * (above + inside) - 1.0
            above += here
    return value
