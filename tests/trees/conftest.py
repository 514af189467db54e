import numpy as np
import pytest

import rankwright as rw


@pytest.fixture(scope="session")
def squares():
    """The five labels of Xia et al. on the unit square."""
    return rw.datasets.make_ordinal_squares(600, random_state=0)


@pytest.fixture(scope="session")
def table():
    """Numbers, categories and missing values, all of which say something about the label."""
    import pandas as pd

    rng = np.random.default_rng(0)
    n = 400
    colour = rng.choice(["red", "green", "blue", "grey"], size=n)
    size = rng.normal(size=n)
    size[rng.random(n) < 0.2] = np.nan
    worth = pd.Series(colour).map({"red": 0.0, "green": 2.0, "blue": 0.0, "grey": 2.0}).to_numpy()
    y = np.where(np.isnan(size), 3, (size > 0).astype(int)) + worth
    X = pd.DataFrame({"size": size, "colour": pd.Categorical(colour), "noise": rng.random(n)})
    return X, y
