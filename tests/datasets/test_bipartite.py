import numpy as np
import pytest
from scipy.stats import f, multivariate_normal, norm
from sklearn.metrics import roc_auc_score

from rankwright.datasets import make_rf10, make_rf10_sparse, make_rf20
from rankwright.datasets.bipartite import GaussianClasses

MAKERS = [make_rf10, make_rf20, make_rf10_sparse]


@pytest.mark.parametrize("make", MAKERS)
def test_auc_star_is_what_optimal_scores_reach_in_simulation(make):
    aucs = []
    for seed in range(20):
        data = make(10_000, random_state=seed)
        aucs.append(roc_auc_score(data.y, data.optimal_scores))
    error = np.std(aucs, ddof=1) / np.sqrt(len(aucs))
    assert abs(np.mean(aucs) - data.auc_star) < 4 * error
    assert error < 0.002


def test_auc_star_of_rf10_is_a_probability_of_the_f_distribution():
    assert make_rf10(2).auc_star == pytest.approx(f.cdf(1.5707, 10, 10), abs=1e-9)


@pytest.mark.parametrize(
    ("make", "published", "tolerance"),
    [(make_rf10, 0.756, 0.0005), (make_rf20, 0.773, 0.002), (make_rf10_sparse, 0.89, 0.0005)],
)
def test_auc_star_is_the_published_one(make, published, tolerance):
    """Ranking forests, heads of Tables 1-3."""
    assert make(2).auc_star == pytest.approx(published, abs=tolerance)


def test_auc_star_with_nearly_equal_variances_is_that_of_shifted_normals():
    classes = GaussianClasses(n_features=3, n_informative=3, distance=1.2, variance=1.001)
    assert classes.auc_star == pytest.approx(norm.cdf(1.2 / np.sqrt(2)), abs=1e-3)


def test_optimal_scores_are_the_log_likelihood_ratio():
    data = make_rf20(50, random_state=0)
    positive = multivariate_normal(np.full(20, 0.9 / np.sqrt(20)), np.eye(20))
    negative = multivariate_normal(np.zeros(20), 1.23 * np.eye(20))
    ratio = positive.logpdf(data.X) - negative.logpdf(data.X)
    np.testing.assert_allclose(data.optimal_scores, ratio)


@pytest.mark.parametrize("make", MAKERS)
def test_classes_are_balanced(make):
    assert make(1000, random_state=0).y.mean() == 0.5


def test_sparse_classes_agree_in_the_last_six_features():
    data = make_rf10_sparse(40_000, random_state=0)
    aucs = [roc_auc_score(data.y, data.X[column]) for column in data.X]
    assert all(auc > 0.6 for auc in aucs[:4])
    assert all(abs(auc - 0.5) < 0.015 for auc in aucs[4:])
    np.testing.assert_allclose(data.X.iloc[:, 4:].std(), 1, atol=0.02)
