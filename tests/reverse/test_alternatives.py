"""What folds of held-out products tell of other methods."""

from rankwright.reverse.questions.agreement import Agreement
from rankwright.reverse.questions.alternatives import _Fold, _summed


def counts(*shares, pairs=400, parts=5):
    """Return what each method gets of the pairs of a fold, in every part alike."""
    whole = [Agreement(pairs, round(share * pairs)) for share in shares]
    part = [Agreement(pairs // 20, round(share * pairs / 20)) for share in shares]
    return [whole, *([part] * parts)]


def summed(*folds, n_products=200, n_rated=1000, is_cut=False):
    found = [_Fold(n_products, one) for one in folds]
    return _summed(found, n_rated, is_cut=is_cut)


CURVED = counts(0.95, 0.95, 0.85, 1.0, 0.95)


def test_one_fold_tells_that_curves_are_clearly_better():
    assert summed(CURVED).is_curved


def test_one_fold_whose_parts_disagree_does_not_tell():
    worse = [Agreement(one.pairs, one.pairs - 5 * (k == 3)) for k, one in enumerate(CURVED[1])]
    assert not summed([CURVED[0], *CURVED[1:4], worse, worse]).is_curved


def test_a_fold_of_few_products_does_not_tell_unless_they_are_all():
    assert not summed(CURVED, n_products=20, n_rated=94).is_curved
    assert summed(*[CURVED] * 5, n_products=20, n_rated=94).is_curved


def test_a_search_that_was_cut_does_not_speak_against_weighted_sums():
    exact = counts(0.95, 0.95, 0.85, 1.0, 1.0)
    assert summed(exact).is_curved
    assert not summed(exact, is_cut=True).is_curved
    assert summed(CURVED, is_cut=True).is_curved


def test_one_fold_can_not_tell_a_formula_from_a_coin():
    coin = counts(*[0.5] * 5)
    assert not summed(coin).is_near_chance
    assert summed(coin, coin).is_near_chance
