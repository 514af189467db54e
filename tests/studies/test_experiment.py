from dataclasses import replace

import pytest

import rankwright
from rankwright.studies import Experiment


def measure(rng, size=1, method="a", table=None):
    return {"draws": rng.random(size).tolist()}


def other_measure(rng, size=1):
    return [{"draw": 1}, {"draw": 2}]


def first(experiment):
    return next(experiment.trials())


EXPERIMENT = Experiment("draws", measure, grid=[{"size": 3, "method": "a"}], replications=2)


def test_a_trial_measures_the_same_whenever_it_is_asked():
    assert first(EXPERIMENT).measure() == first(EXPERIMENT).measure()


def test_replications_differ():
    one, two = EXPERIMENT.trials()
    assert one.measure() != two.measure()
    assert one.key != two.key


def test_the_order_of_parameters_does_not_matter():
    turned = replace(EXPERIMENT, grid=[{"method": "a", "size": 3}])
    assert first(turned).key == first(EXPERIMENT).key
    assert first(turned).measure() == first(EXPERIMENT).measure()


@pytest.mark.parametrize(
    "change",
    [
        {"name": "others"},
        {"measure": other_measure, "grid": [{"size": 3}]},
        {"grid": [{"size": 4, "method": "a"}]},
        {"seed": 1},
        {"seeded_by": ("size",)},
        {"version": 2},
    ],
)
def test_the_key_depends_on_the_whole_description(change):
    assert first(replace(EXPERIMENT, **change)).key != first(EXPERIMENT).key


def test_the_key_depends_on_the_version_of_the_package(monkeypatch):
    before = first(EXPERIMENT).key
    monkeypatch.setattr(rankwright, "__version__", "0.0.0")
    assert first(EXPERIMENT).key != before


def test_the_key_depends_on_the_content_of_a_file_and_not_on_its_place(tmp_path):
    keys = []
    for name, content in (("a.csv", "1"), ("b.csv", "1"), ("c.csv", "2")):
        (tmp_path / name).write_text(content)
        keys.append(first(replace(EXPERIMENT, files={"table": tmp_path / name})).key)
    assert keys[0] == keys[1] != keys[2]


def test_trials_that_share_their_seed_receive_the_same_random_numbers():
    grid = [{"size": 3, "method": method} for method in "ab"]
    shared = Experiment("draws", measure, grid, seeded_by=["size"])
    one, two = (trial.measure() for trial in shared.trials())
    assert one == two
    one, two = (trial.measure() for trial in replace(shared, seeded_by=None).trials())
    assert one != two


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": "a/b"}, "an experiment is called 'a/b'"),
        ({"name": ""}, "an experiment is called ''"),
        ({"grid": [{"size": 3}, {"size": 3}]}, "the same parameters twice in its grid"),
        ({"grid": [{"replication": 3}]}, "a parameter called 'replication'"),
    ],
)
def test_what_would_lose_results_is_refused(change, reason):
    with pytest.raises(ValueError, match=reason):
        replace(EXPERIMENT, **change)


@pytest.mark.parametrize("column", ["size", "replication"])
def test_a_measurement_can_not_hide_a_parameter(column):
    experiment = Experiment("hidden", lambda rng, size: {column: 1}, grid=[{"size": 3}])
    with pytest.raises(ValueError, match=f"measure returned \\['{column}'\\]"):
        first(experiment).measure()


def test_several_rows_stay_several():
    assert first(Experiment("rows", other_measure, grid=[{}])).measure() == [
        {"draw": 1},
        {"draw": 2},
    ]
