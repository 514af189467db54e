from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rankwright.base import check_array, is_array, is_cheap_to_score


@pytest.mark.parametrize("wrong", [np.ma.MaskedArray([1.0, 2.0]), np.matrix([1.0]), [1.0], None])
def test_only_a_plain_array_is_one(wrong):
    assert is_array(np.ones(2))
    assert not is_array(wrong)


def test_a_masked_array_in_place_of_a_plain_one_is_refused():
    owner = SimpleNamespace(coef_=np.ma.MaskedArray([1.0, 2.0], [True, True]))
    with pytest.raises(ValueError, match="coef_ is not an array of shape"):
        check_array(owner, "coef_", (2,))


def test_a_model_behind_a_scaler_is_tried_on_load_as_it_is_alone():
    alone, holder = LogisticRegression(), BaggingClassifier()
    assert is_cheap_to_score(alone)
    assert is_cheap_to_score(make_pipeline(StandardScaler(), alone))
    assert not is_cheap_to_score(holder)
    assert not is_cheap_to_score(make_pipeline(StandardScaler(), holder))
