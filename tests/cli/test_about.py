from importlib import import_module

import pytest

import rankwright as rw
from rankwright.base import RankerMixin
from rankwright.cli import first_fits


def test_the_version_comes_with_the_dependencies(rankwright):
    assert rankwright("version").out == f"rankwright {rw.__version__}\n"
    assert rankwright("--version").out == f"rankwright {rw.__version__}\n"
    assert "numpy" in rankwright("version", "--deps").out
    assert rankwright("version", "--deps", "--json").json["rankwright"] == rw.__version__


def test_the_data_sets_are_listed(rankwright):
    assert "load_cameras" in rankwright("datasets").out
    assert "load_cameras" in rankwright("datasets", "--json").json["datasets"]


def test_warming_up_does_all_work_and_says_what_each_took(rankwright, monkeypatch):
    done = []
    works = {name: (lambda name=name: done.append(name)) for name in ("one", "two")}
    monkeypatch.setattr(first_fits, "FIRST_FITS", works)
    monkeypatch.setattr(first_fits, "OTHER_KERNELS", {})
    assert set(rankwright("warm-up", "--jobs", 1, "--json").json["seconds"]) == {"one", "two"}
    assert done == ["one", "two"]


def test_every_ranker_is_warmed_up():
    public = [getattr(rw, name) for name in rw.__all__]
    rankers = {
        thing.__name__
        for thing in public
        if isinstance(thing, type) and issubclass(thing, RankerMixin)
    }
    assert rankers - set(first_fits.FIRST_FITS) == {"AdaptedRanker"}  # nothing of it is compiled


@pytest.mark.parametrize(
    ("work", "kernels"),
    [
        ("weighted agreement", ["kendall.tied_weights", "voters.places_among_ranked"]),
        (
            "scores and explanations of rows of frames",
            ["boosted.scoring.score_by_levels", "trees.traversal.find_leaves"],
        ),
        (
            "pruning, forests out of bag and by consensus",
            ["insertion.insert_items", "trees.out_of_bag.compare_pairs"],
        ),
    ],
)
def test_warming_up_compiles_kernels_of_rare_calls(work, kernels):
    first_fits.time_work(work)
    for kernel in kernels:
        module, name = kernel.rsplit(".", 1)
        assert getattr(import_module(f"rankwright.kernels.{module}"), name).signatures
