"""Splines from parts that anyone may have written."""

import numpy as np
import pytest

from rankwright.persistence.errors import ModelFileError
from rankwright.persistence.splines import restore_spline


def parts(degree=1, **changes):
    state = {
        "_t": np.arange(2.0 * degree + 2),
        "_c": np.ones(degree + 1),
        "k": degree,
        "extrapolate": True,
        "axis": 0,
    }
    return {**state, **changes}


@pytest.mark.parametrize("degree", [0, 1, 3, 100])
def test_a_spline_of_any_common_degree_is_restored(degree):
    assert restore_spline(parts(degree)).k == degree


@pytest.mark.parametrize("degree", [-1, 101, True, 1.0, None])
def test_a_spline_of_another_degree_is_refused(degree):
    with pytest.raises(ModelFileError, match="odd knots"):
        restore_spline(parts(k=degree))


@pytest.mark.parametrize("extrapolate", [True, False, "periodic"])
def test_a_spline_keeps_how_it_goes_on_outside(extrapolate):
    assert restore_spline(parts(extrapolate=extrapolate)).extrapolate == extrapolate


@pytest.mark.parametrize("name", ["_t", "_c"])
def test_knots_and_values_are_floating_point_arrays(name):
    plain = parts()[name]
    for wrong in (plain.astype(np.int64), plain.astype(object), np.ma.array(plain), [1.0, 2.0]):
        with pytest.raises(ModelFileError, match="odd knots"):
            restore_spline(parts(**{name: wrong}))


@pytest.mark.parametrize("wrong", [{"extrapolate": "always"}, {"extrapolate": None}, {"axis": 1}])
def test_a_spline_with_other_options_is_refused(wrong):
    with pytest.raises(ModelFileError, match="odd knots, values or options"):
        restore_spline(parts(**wrong))
