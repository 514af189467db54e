import numpy as np
import pytest

from rankwright.metrics import evaluate, suitable_metrics


def noisy(n_groups, size, seed=0):
    rng = np.random.default_rng(seed)
    y = np.tile(np.arange(float(size)), n_groups)
    return y, y + 3 * rng.standard_normal(len(y)), np.repeat(np.arange(n_groups), size)


def test_many_groups_are_resampled_whole():
    (tau,) = evaluate(*noisy(40, 10), metrics=["kendall_tau"])
    values = tau.groups.values
    # The bootstrap of a mean spreads like its standard error.
    assert tau.resampled == "groups"
    assert tau.mean == pytest.approx(values.mean())
    error = values.std() / np.sqrt(len(values))
    assert (tau.high - tau.low) / 2 == pytest.approx(1.96 * error, rel=0.1)


def test_few_groups_have_their_items_resampled():
    (tau,) = evaluate(*noisy(3, 30), metrics=["kendall_tau"], n_resamples=200)
    assert tau.resampled == "items"
    assert tau.low < tau.mean < tau.high


def test_a_larger_level_gives_a_wider_interval():
    narrow, wide = (evaluate(*noisy(30, 8), level=level)[0] for level in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_the_seed_fixes_the_interval():
    first, second = (evaluate(*noisy(2, 9), n_resamples=50)[0] for _ in range(2))
    assert (first.low, first.high) == (second.low, second.high)


@pytest.mark.parametrize(
    ("target", "first"),
    [
        ([0, 1, 1], "auc"),
        ([-3, -2, -1], "kendall_tau"),
        ([0, 1, 4], "ndcg"),
        ([0, 0.5, 1], "ndcg"),
    ],
)
def test_metrics_suit_the_target(target, first):
    assert first in suitable_metrics(target)
    assert ("ndcg" in suitable_metrics(target)) == (first == "ndcg")


@pytest.mark.parametrize("target", [[-1, 0, 4], [-0.5, 1, 2], [0, 0, 0]])
def test_ndcg_suits_gains_of_zero_or_more_that_are_not_all_zero(target):
    assert suitable_metrics(target) == ("kendall_tau", "spearman_rho", "spearman_footrule")


@pytest.mark.parametrize(("n_groups", "resampled"), [(19, "items"), (20, "groups")])
def test_twenty_groups_are_enough_to_resample_them(n_groups, resampled):
    (tau,) = evaluate(*noisy(n_groups, 3), metrics=["kendall_tau"], n_resamples=2)
    assert tau.resampled == resampled


def test_an_undefined_resample_is_left_out():
    (auc,) = evaluate([0, 1, 1], [0.1, 0.5, 0.7], metrics=["auc"], n_resamples=100)
    assert (auc.low, auc.high) == (1, 1)


def test_the_interval_is_of_95_percent_of_1000_resamples_with_the_seed_0():
    (ndcg,) = evaluate(*noisy(20, 9), metrics=["ndcg"])
    drawn = np.random.default_rng(0).choice(ndcg.groups.values, (1000, 20)).mean(axis=1)
    assert [ndcg.low, ndcg.high] == np.quantile(drawn, [0.025, 0.975]).tolist()


def test_one_resample_is_an_interval_of_one_point():
    (tau,) = evaluate(*noisy(20, 3), metrics=["kendall_tau"], n_resamples=1)
    assert tau.low == tau.high


@pytest.mark.filterwarnings("error")
def test_without_a_defined_resample_there_is_no_interval():
    # Of two items, this seed draws one of them twice.
    (tau,) = evaluate([0, 1], [0, 1], metrics=["kendall_tau"], n_resamples=1, random_state=0)
    assert tau.mean == 1
    assert np.isnan([tau.low, tau.high]).tolist() == [True, True]


def test_the_mean_of_a_resample_is_over_its_defined_groups():
    y, scores, groups = [0, 1, 0, 1], [1, 0, 0, 1], [0, 0, 1, 1]  # an AUC of 0 and one of 1
    (auc,) = evaluate(y, scores, groups, metrics=["auc"], n_resamples=50)
    assert (auc.low, auc.mean, auc.high) == (0, 0.5, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": ["tua"]}, r"metric='tua'; choose from \['auc'"),
        ({"metrics": ["rank_loss"]}, "metric='rank_loss'"),
        ({"metrics": ["top_auc"]}, "metric='top_auc'"),
        ({"level": 95}, "level=95"),
        ({"level": 0}, "level=0"),
        ({"level": 1}, "level=1"),
        ({"n_resamples": 0}, "n_resamples=0"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        evaluate([1, 2, 3], [1, 2, 3], **options)
