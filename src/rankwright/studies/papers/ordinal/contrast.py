"""Two methods on the same trials: which is lower, and whether that is more than chance."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

__all__ = ["Contrast", "contrast"]

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Contrast:
    """By how much one method lies below another, on average over paired trials.

    Attributes
    ----------
    method, against : str
    lower : float
        The mean of the differences, positive where ``method`` is lower.
    reach : float
        Half of the 95% confidence interval of ``lower``.
    p : float
        Of Student's paired test, two-sided.
    """

    method: str
    against: str
    lower: float
    reach: float
    p: float

    @property
    def below(self) -> bool:
        """Whether the method is lower beyond chance."""
        return self.lower > 0 and self.p < SIGNIFICANT

    @property
    def above(self) -> bool:
        """Whether the method is higher beyond chance."""
        return self.lower < 0 and self.p < SIGNIFICANT

    def __str__(self) -> str:
        side = "above" if self.lower < 0 else "below"
        p = "p < 0.001" if self.p < 0.001 else f"p = {self.p:.3f}"
        return f"{self.method} {abs(self.lower):.4f} {side} {self.against} ({p})"


def contrast(trials: pd.DataFrame, method: str, against: str, *, reuse: float = 0.0) -> Contrast:
    """Compare two columns of a table of trials by Student's paired test.

    Parameters
    ----------
    trials : DataFrame
        A row for each trial, a column for each method; trials that lack one of the two are left
        out. Where the index has two levels, the first names strata, such as targets, that are
        fixed: only the scatter inside them is chance.
    method, against : str
    reuse : float
        Where trials are splits of the same rows, and so no independent draws: the ratio of test
        to training rows, by which Nadeau and Bengio correct the variance.

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.studies.papers.ordinal.contrast import contrast
    >>> trials = pd.DataFrame({"tree": [0.2, 0.3, 0.1], "perceptron": [0.3, 0.5, 0.3]})
    >>> print(contrast(trials, "tree", "perceptron"))
    tree 0.1667 below perceptron (p = 0.038)
    >>> print(contrast(trials, "tree", "perceptron", reuse=0.5))
    tree 0.1667 below perceptron (p = 0.087)
    """
    differences = (trials[against] - trials[method]).dropna()
    lower = float(differences.mean())
    stratified = differences.index.nlevels > 1
    strata = differences.index.get_level_values(0) if stratified else np.zeros(len(differences))
    groups = differences.groupby(np.asarray(strata))
    freedom = len(differences) - groups.ngroups
    if freedom < 1:
        return Contrast(method, against, lower, reach=np.inf, p=1.0)
    scatter = float(np.sqrt(((differences - groups.transform("mean")) ** 2).sum() / freedom))
    error = scatter * np.sqrt(1 / len(differences) + reuse)
    if error == 0:
        return Contrast(method, against, lower, reach=0.0, p=float(lower == 0))
    return Contrast(
        method,
        against,
        lower,
        reach=float(stats.t.ppf(1 - SIGNIFICANT / 2, freedom) * error),
        p=float(2 * stats.t.sf(abs(lower) / error, freedom)),
    )
