import numpy as np
import pytest
from scipy.stats import kendalltau, skew
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from rankwright.datasets import make_hotels


def cities(hotels):
    return [hotels.groups == city for city in np.unique(hotels.groups)]


def mean_tau(scores, hotels):
    return np.mean([kendalltau(scores[c], hotels.y[c]).statistic for c in cities(hotels)[1:]])


def pairwise_scores(hotels):
    """Fit a logistic regression on all pairs of the first city and score every hotel."""
    first = cities(hotels)[0]
    X = StandardScaler().fit(hotels.X[first]).transform(hotels.X)
    i, k = np.triu_indices(first.sum(), 1)
    differences = X[first][i] - X[first][k]
    signs = np.sign(hotels.y[first][i] - hotels.y[first][k])
    model = LogisticRegression(fit_intercept=False, max_iter=500).fit(differences, signs)
    return X @ model.coef_[0]


def test_each_city_is_ranked_completely():
    hotels = make_hotels(random_state=0)
    assert [rows.sum() for rows in cities(hotels)] == [363, 110, 170, 149, 194]
    for rows in cities(hotels):
        assert sorted(-hotels.y[rows]) == list(range(1, rows.sum() + 1))


def test_linear_pairwise_model_of_the_first_city_reaches_tau_084_on_the_others():
    """Pairwise versus pointwise, Table 1: 0.84 for the pairwise model."""
    taus = []
    for seed in range(3):
        hotels = make_hotels(random_state=seed)
        taus.append(mean_tau(pairwise_scores(hotels), hotels))
    assert np.mean(taus) == pytest.approx(0.84, abs=0.01)


def test_linear_model_falls_short_of_the_optimum_because_the_index_is_not_linear():
    hotels = make_hotels(random_state=0)
    assert (
        mean_tau(hotels.optimal_scores, hotels) > mean_tau(pairwise_scores(hotels), hotels) + 0.02
    )


def test_attributes_are_skewed_correlated_and_on_different_scales():
    X = make_hotels(random_state=0).X
    assert X.shape[1] == 19
    assert skew(X["reviews"]) > 2
    assert skew(X["review_age_days"]) > 1
    assert X["rating_service"].corr(X["rating_cleanliness"]) > 0.5
    assert X["price"].corr(X["stars"]) > 0.5
    assert X.std().max() > 100 * X.std().min()
    assert np.linalg.matrix_rank(StandardScaler().fit_transform(X)) == 19


def test_attributes_keep_their_natural_ranges():
    X = make_hotels(random_state=1).X
    assert X["recommended_percent"].between(0, 100).all()
    assert X["stars"].isin([1, 2, 3, 4, 5]).all()
    assert X.filter(like="rating_").stack().between(1, 5).all()
    assert (X[["reviews", "rooms", "price"]] > 0).all(axis=None)
    assert (X["reviews"] >= X.filter(like="ratings_").sum(axis=1)).all()


def test_a_city_needs_two_hotels():
    with pytest.raises(ValueError, match="n_items=1; give at least 2"):
        make_hotels((100, 1))
