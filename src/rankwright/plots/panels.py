"""Several pictures in one figure."""

from matplotlib import pyplot
from matplotlib.axes import Axes

__all__ = ["panels"]


def panels(
    rows: int, columns: int = 1, *, size: tuple[float, float] = (4.8, 3.6), shared: bool = False
) -> list[Axes]:
    """Return the axes of a figure with several pictures, row by row.

    Parameters
    ----------
    rows, columns : int
        How many panels are below and beside each other.
    size : pair of float
        Width and height of each picture in inches.
    shared : bool
        Whether all pictures have the same scales.

    Examples
    --------
    >>> import rankwright as rw
    >>> left, right = rw.plots.panels(1, 2)
    >>> curve = rw.metrics.roc_curve([1, 0, 1, 0], [3, 2, 2, 1])
    >>> rw.plots.plot_roc({"tree": curve}, ax=left) is left
    True
    """
    _, axes = pyplot.subplots(
        rows,
        columns,
        figsize=(size[0] * columns, size[1] * rows),
        sharex=shared,
        sharey=shared,
        squeeze=False,
        layout="constrained",
    )
    return list(axes.ravel())
