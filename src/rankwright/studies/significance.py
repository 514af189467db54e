"""Whether differences and trends over replications are more than chance."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from rankwright.metrics import holm, paired_test
from rankwright.metrics.significance import LEVEL

__all__ = ["paired_tests", "trend_tests"]


def paired_tests(differences: pd.DataFrame, by: Sequence[str], value: str) -> pd.DataFrame:
    """Test in each cell whether paired differences lie to one side of zero.

    Parameters
    ----------
    differences : DataFrame
        One row for each replication of each cell.
    by : sequence of str
        The columns that name a cell.
    value : str
        The column of differences.

    Returns
    -------
    DataFrame
        For each cell the mean ``effect``, ``p`` of Wilcoxon's two-sided signed-rank test,
        ``p_holm`` adjusted for the number of cells, and ``sign``: -1 or 1 where that is below
        five percent, else 0.

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.studies.significance import paired_tests
    >>> frame = pd.DataFrame({"size": [1] * 8 + [2] * 8, "gain": [*range(1, 9), *[-1, 1] * 4]})
    >>> paired_tests(frame, ["size"], "gain")[["size", "effect", "sign"]].values.tolist()
    [[1.0, 4.5, 1.0], [2.0, 0.0, 0.0]]
    """

    def test(cell: pd.DataFrame) -> tuple[float, float]:
        found = paired_test(cell[value])
        return found.effect, found.p_wilcoxon

    return _tests(differences, by, test)


def trend_tests(frame: pd.DataFrame, by: Sequence[str], over: str, value: str) -> pd.DataFrame:
    """Test for each combination of ``by`` whether a measurement rises or falls with ``over``.

    Returns
    -------
    DataFrame
        As :func:`paired_tests` returns it; the ``effect`` is Kendall's tau of ``over`` and
        ``value`` over all replications.

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.studies.significance import trend_tests
    >>> frame = pd.DataFrame({"method": "pairwise", "size": range(8), "tau": range(8)})
    >>> trend_tests(frame, ["method"], "size", "tau")[["method", "sign"]].values.tolist()
    [['pairwise', 1]]
    """

    def test(cell: pd.DataFrame) -> tuple[float, float]:
        result = kendalltau(cell[over], cell[value])
        undefined = np.isnan(result.statistic)
        return (0.0, 1.0) if undefined else (float(result.statistic), float(result.pvalue))

    return _tests(frame, by, test)


def _tests(
    frame: pd.DataFrame, by: Sequence[str], test: Callable[[pd.DataFrame], tuple[float, float]]
) -> pd.DataFrame:
    rows = [
        dict(zip([*by, "effect", "p"], [*cell, *test(part)], strict=True))
        for cell, part in frame.groupby(list(by), sort=False)
    ]
    tests = pd.DataFrame(rows, columns=[*by, "effect", "p"])
    tests["p_holm"] = holm(tests["p"])
    tests["sign"] = (np.sign(tests["effect"]) * (tests["p_holm"] < LEVEL)).astype(int)
    return tests
