"""Splines from their knots, which SciPy's compiled code follows without a look at the bounds."""

from typing import TYPE_CHECKING, Any

import numpy as np

from rankwright.base import is_array
from rankwright.persistence.errors import ModelFileError

if TYPE_CHECKING:
    from scipy.interpolate import BSpline

__all__ = ["SPLINE", "restore_spline"]

SPLINE = "scipy.interpolate._bsplines.BSpline"
HIGHEST_DEGREE = 100


def restore_spline(state: Any) -> "BSpline":
    """Return a spline that SciPy's constructor has checked."""
    from scipy.interpolate import BSpline

    knots, values, degree = (state.get(name) for name in ("_t", "_c", "k"))
    extrapolate = state.get("extrapolate")
    if (
        not all(is_array(a) and a.dtype == np.float64 for a in (knots, values))
        or type(degree) is not int
        or not 0 <= degree <= HIGHEST_DEGREE
        or extrapolate not in (True, False, "periodic")
        or state.get("axis") != 0
    ):
        raise ModelFileError("one of its splines has odd knots, values or options")
    return BSpline(knots, values, degree, extrapolate)
