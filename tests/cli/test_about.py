import rankwright as rw


def test_the_version_comes_with_the_dependencies(rankwright):
    assert rankwright("version").out == f"rankwright {rw.__version__}\n"
    assert "numpy" in rankwright("version", "--deps").out
    assert rankwright("version", "--deps", "--json").json["rankwright"] == rw.__version__


def test_the_data_sets_are_listed(rankwright):
    assert "load_cameras" in rankwright("datasets").out
    assert "load_cameras" in rankwright("datasets", "--json").json["datasets"]
