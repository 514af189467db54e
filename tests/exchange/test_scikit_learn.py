import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeRegressor

from rankwright.exchange.graph import Graph
from rankwright.exchange.scikit_learn import embed

pytest.importorskip("skl2onnx", reason="needs skl2onnx")


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeRegressor(),
        RandomForestRegressor(2, bootstrap=False),
        make_pipeline(FunctionTransformer(), DecisionTreeRegressor()),
    ],
)
def test_trees_that_cut_at_no_finite_number_are_refused_rather_than_converted_without_end(model):
    X = np.repeat([[np.nan], [1.0]], 20, axis=0)
    with pytest.raises(ValueError, match="cuts at no finite number"):
        embed(Graph(1), model.fit(X, np.isnan(X[:, 0])))
