"""The online perceptron with ordered thresholds (PRank, Crammer & Singer)."""

from rankwright.kernels.compile import kernel

__all__ = ["prank_pass"]


@kernel
def prank_pass(X, labels, stream, coef, thresholds):
    """Show the rows of the stream to a perceptron, which updates its coefficients and thresholds.

    The label of a row is the number of thresholds its score should reach. Every threshold on the
    wrong side of the score moves by one towards it, and so do the coefficients by the row, once for
    each such threshold; the thresholds stay ordered (Lemma 1 of Crammer & Singer).
    """
    mistakes = 0
    for place in range(stream.size):
        row = stream[place]
        score = 0.0
        for j in range(coef.size):
            score += coef[j] * X[row, j]
        push = 0
        for r in range(thresholds.size):
            if labels[row] > r and score <= thresholds[r]:
                thresholds[r] -= 1.0
                push += 1
            elif labels[row] <= r and score >= thresholds[r]:
                thresholds[r] += 1.0
                push -= 1
        if push != 0:
            mistakes += 1
            for j in range(coef.size):
                coef[j] += push * X[row, j]
    return mistakes
