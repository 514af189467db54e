"""What folds of held-out products tell of other methods."""

from rankwright.reverse.questions.agreement import Agreement
from rankwright.reverse.questions.alternatives import _summed


def fold(*shares, pairs=400, parts=5):
    """Return a fold in which each method gets a share of the pairs, in every part alike."""
    whole = [Agreement(pairs, round(share * pairs)) for share in shares]
    part = [Agreement(pairs // 20, round(share * pairs / 20)) for share in shares]
    return [whole, *([part] * parts)]


def test_one_fold_tells_that_curves_are_clearly_better():
    assert _summed([fold(0.95, 0.95, 0.85, 1.0)]).is_curved


def test_one_fold_whose_parts_disagree_does_not_tell():
    found = fold(0.95, 0.95, 0.85, 1.0)
    worse = [Agreement(one.pairs, one.pairs - 5 * (k == 3)) for k, one in enumerate(found[1])]
    assert not _summed([[found[0], *found[1:4], worse, worse]]).is_curved


def test_one_fold_can_not_tell_a_formula_from_a_coin():
    assert not _summed([fold(0.5, 0.5, 0.5, 0.5)]).is_near_chance
    assert _summed([fold(0.5, 0.5, 0.5, 0.5)] * 2).is_near_chance
