from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MultiLabelBinarizer, PowerTransformer, StandardScaler

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


def test_a_pipeline_of_few_scalers_and_a_linear_model_is_cheap():
    assert is_cheap_to_score(make_pipeline(*[StandardScaler()] * 99, Ridge()))


def test_a_long_pipeline_is_not_however_it_is_nested():
    inner = make_pipeline(*[StandardScaler()] * 50)
    assert not is_cheap_to_score(make_pipeline(inner, inner, Ridge()))


@pytest.mark.parametrize("held", [Ridge(), Pipeline([]), MultiLabelBinarizer()])
def test_a_model_that_holds_another_one_is_not_cheap(held):
    scaler = PowerTransformer()
    scaler._scaler = StandardScaler()
    assert is_cheap_to_score(scaler)
    scaler._scaler = held
    assert not is_cheap_to_score(scaler)


def test_a_network_of_many_layers_is_not_cheap():
    network = MLPRegressor()
    network.coefs_ = [None] * 100
    assert is_cheap_to_score(network)
    network.coefs_ = [None] * 101
    assert not is_cheap_to_score(network)


@pytest.mark.parametrize("other", [None, "passthrough", 3.0])
def test_what_is_no_model_is_not_cheap(other):
    assert not is_cheap_to_score(other)
