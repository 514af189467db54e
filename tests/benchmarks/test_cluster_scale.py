from benchmarks.cluster_scale import simulate


def test_twice_the_workers_halve_the_computing_and_not_the_scheduling():
    few, many = (simulate(1e9, 20, n, 4000) for n in (100, 200))
    assert 0.45 < many.compute / few.compute < 0.6
    assert many.schedule == few.schedule


def test_the_tree_has_a_level_for_each_factor_of_its_fan_in():
    one, two = (simulate(1e6, 20, 1, n).reduce for n in (16, 256))
    assert two == 2 * one
