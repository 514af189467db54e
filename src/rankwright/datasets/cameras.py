"""The digital-camera example: a formula, what improvements cost, and two cameras."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

__all__ = ["CameraExample", "load_cameras"]

TABLES = Path(__file__).parent / "tables"


@dataclass(frozen=True, kw_only=True, eq=False)
class CameraExample:
    """Hold the example of cost-effective improvement.

    Attributes
    ----------
    factors : DataFrame
        One row per factor: its `unit` and its `weight` in the rating formula.
    cameras : DataFrame
        One row per camera, one column per factor.
    changes : DataFrame
        One row per possible change: its `cost` and its effect on each factor.
    conflicts : tuple of tuple of str
        Sets of changes of which at most one can be made.

    Examples
    --------
    >>> import rankwright as rw
    >>> example = rw.datasets.load_cameras()
    >>> example.conflicts[0]
    ('Add 1 megapixel', 'Add 2 megapixels')
    """

    factors: pd.DataFrame
    cameras: pd.DataFrame
    changes: pd.DataFrame
    conflicts: tuple[tuple[str, ...], ...]


def load_cameras() -> CameraExample:
    """Load the published example of improving a digital camera.

    The numbers are those of Tables 9 to 14 of "Reverse-engineering quality rankings". The paper
    computed with weights of more digits than it prints; with the printed ones *Larger battery* is
    worth 0.05 (printed: 0.030), *Wider angle* 2.181, *Most modes* 7.6685, and the two cameras
    score 88.556 and 69.514. Its Table 15 errs for a budget of 6: *Add 2 megapixels* (3.339 at
    cost 5) beats *Better video* (2.926).

    Returns
    -------
    CameraExample
        Ten factors, two cameras, twelve changes and six conflict sets.

    Examples
    --------
    >>> import rankwright as rw
    >>> example = rw.datasets.load_cameras()
    >>> (example.cameras @ example.factors["weight"]).round(3).to_dict()
    {'camera_1': 88.556, 'camera_2': 69.514}
    >>> example.changes.loc["Larger battery", ["cost", "battery_life"]].to_dict()
    {'cost': 2.0, 'battery_life': 50.0}
    """
    conflicts = pd.read_csv(TABLES / "camera_conflicts.csv")
    return CameraExample(
        factors=pd.read_csv(TABLES / "camera_factors.csv", index_col="factor"),
        cameras=pd.read_csv(TABLES / "camera_items.csv", index_col="camera").astype(float),
        changes=pd.read_csv(TABLES / "camera_changes.csv", index_col="change").fillna(0.0),
        conflicts=tuple(tuple(rows) for _, rows in conflicts.groupby("conflict")["change"]),
    )
