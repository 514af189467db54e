"""Whether differences between paired measurements are more than chance."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import norm, rankdata, wilcoxon

from rankwright.metrics.inputs import Floats

__all__ = ["LEVEL", "PairedTest", "holm", "paired_test"]

LEVEL, POWER = 0.05, 0.8  # of what is called significant, and of `PairedTest.detectable`
EXACT_UP_TO = 16  # differences: 2^16 ways to turn them are listed, more are drawn
N_DRAWS = 20_000
FEW = 13  # differences: SciPy turns so many one by one where ranks are tied, which takes seconds
AT_ONCE = 2**22  # signs drawn at a time


@dataclass(frozen=True)
class PairedTest:
    """Whether paired differences lie to one side of zero.

    Attributes
    ----------
    effect : float
        Their mean.
    n : int
        How many there are.
    p_randomisation : float
        Two-sided p-value of the mean when the sign of every difference is a toss of a coin: exact
        up to 16 differences, else from 20,000 draws.
    p_wilcoxon : float
        Two-sided p-value of Wilcoxon's signed-rank test.
    detectable : float
        The least true mean that a test at 5% would find in four of five such samples, from the
        spread of the differences; NaN for fewer than two.

    Examples
    --------
    >>> import rankwright as rw
    >>> found = rw.metrics.paired_test([0.1, 0.2, 0.1, 0.3, 0.2, 0.1])
    >>> found.n, round(found.effect, 3), found.p_randomisation, found.p_wilcoxon
    (6, 0.167, 0.03125, 0.03125)
    """

    effect: float
    n: int
    p_randomisation: float
    p_wilcoxon: float
    detectable: float


def paired_test(differences: ArrayLike, *, random_state: int = 0) -> PairedTest:
    """Test whether paired differences lie to one side of zero.

    Parameters
    ----------
    differences : array-like of shape (n,)
        One for each list or replication; NaN where one of the two was not measured.
    random_state : int, default=0
        Draws the signs where there are too many to list.

    Returns
    -------
    PairedTest
        Without any difference that is not zero both p-values are 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.paired_test([0.1, -0.1, 0.0]).p_randomisation
    1.0
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1:
        raise ValueError(
            f"differences have shape {values.shape}; give a row of them, such as first - second"
        )
    if np.isinf(values).any():
        raise ValueError("a difference is infinite; give NaN where one of the two is not known")
    values = values[~np.isnan(values)]
    n = len(values)
    if not values.any():
        return PairedTest(0.0 if n else np.nan, n, 1.0, 1.0, 0.0 if n > 1 else np.nan)
    spread = float(values.std(ddof=1) / np.sqrt(n)) if n > 1 else np.nan
    return PairedTest(
        effect=float(values.mean()),
        n=n,
        p_randomisation=_randomisation(values, np.random.default_rng(random_state)),
        p_wilcoxon=_wilcoxon(values, np.random.default_rng(random_state)),
        detectable=float(norm.ppf(1 - LEVEL / 2) + norm.ppf(POWER)) * spread,
    )


def _wilcoxon(values: Floats, rng: np.random.Generator) -> float:
    """Return SciPy's p-value; for few differences it is that of their signed ranks."""
    if len(values) > FEW:
        return float(wilcoxon(values).pvalue)
    moved = values[values != 0]
    return _randomisation(np.sign(moved) * rankdata(np.abs(moved)), rng)


def _randomisation(values: Floats, rng: np.random.Generator) -> float:
    """Return how often coins in place of signs give a sum at least as far from zero."""
    # Sums that differ by rounding alone are equal.
    reached = abs(values.sum()) - 1e-12 * np.abs(values).sum()
    if len(values) <= EXACT_UP_TO:
        signs = 1 - 2 * (np.arange(2 ** len(values))[:, None] >> np.arange(len(values)) & 1)
        return float((np.abs(signs @ values) >= reached).mean())
    size = max(1, AT_ONCE // len(values))
    as_far = 0
    for start in range(0, N_DRAWS, size):
        drawn = rng.integers(0, 2, (min(size, N_DRAWS - start), len(values)), dtype=np.int8)
        as_far += int((np.abs((1 - 2 * drawn) @ values) >= reached).sum())
    # The order that was measured is one of the possible ones.
    return (as_far + 1) / (N_DRAWS + 1)


def holm(p: ArrayLike) -> Floats:
    """Adjust p-values for being many, by Holm's method.

    Whoever believes those below 0.05 afterwards believes a false one in at most 5% of cases.

    Parameters
    ----------
    p : array-like of shape (n_tests,)
        The p-value of each test.

    Returns
    -------
    (n_tests,) array
        Each at least what it was, at most 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p, dtype=np.float64)
    wrong = values[~((values >= 0) & (values <= 1))]
    if wrong.size:
        raise ValueError(f"p holds {wrong[0]}; p-values are between 0 and 1")
    order = np.argsort(values)
    factors = np.arange(values.size, 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return adjusted
