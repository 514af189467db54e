"""Graded points in two blocks that share a direction but not a place: the pairwise transform."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from rankwright.datasets.ranking_data import GeneratedData, check_count

__all__ = ["BlocksData", "make_blocks"]

GRADES = 3
ANGLE = np.deg2rad(60)
DIRECTION = np.array([np.sin(ANGLE), np.cos(ANGLE)])
STEP = 4.0
SHIFT = np.array([-3.0, -7.0])


@dataclass(frozen=True, kw_only=True, eq=False)
class BlocksData(GeneratedData):
    """Hold the blocks and the one direction that ranks both.

    Attributes
    ----------
    direction : ndarray of shape (2,)
        The unit vector along which the grades rise.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.datasets.make_blocks().direction.round(3).tolist()
    [0.866, 0.5]
    """

    direction: NDArray[np.float64]


def make_blocks(n_items: int = 60, *, random_state: int | RandomState | None = 0) -> BlocksData:
    """Draw two blocks of points with three grades each.

    Grades rise along one direction in both blocks, but one block is displaced, so that a model
    which compares points of different blocks learns the wrong direction. The defaults give the
    sixty points of the study.

    Parameters
    ----------
    n_items : int
        Number of points, a multiple of 6: equally many of each grade in each block.
    random_state : int, RandomState or None
        Seed.

    Returns
    -------
    BlocksData
        `y` is the grade (0, 1, 2), `groups` the block (0 is the displaced one).

    Examples
    --------
    >>> import rankwright as rw
    >>> blocks = rw.datasets.make_blocks()
    >>> blocks.X.shape, sorted(set(blocks.groups.tolist()))
    ((60, 2), [0, 1])
    """
    check_count("n_items", n_items, minimum=6, multiple_of=6)
    rng = check_random_state(random_state)
    y = np.repeat(np.arange(float(GRADES)), n_items // GRADES)
    points = rng.standard_normal((n_items, 2)) + STEP * y[:, None] * DIRECTION
    optimal_scores = points @ DIRECTION
    groups = np.arange(n_items) % 2
    points[groups == 0] += SHIFT
    return BlocksData(
        X=pd.DataFrame(points, columns=["x1", "x2"]),
        y=y,
        groups=groups,
        optimal_scores=optimal_scores,
        direction=DIRECTION.copy(),
    )
