import pytest


@pytest.mark.xdist_group("workers")
def test_tests_of_a_group_share_a_worker_and_what_they_prepare(request):
    if not request.config.getoption("loadgroup", default=False):
        pytest.skip("tests are not spread over workers by groups")
    assert request.node.nodeid.endswith("@workers")  # by which pytest-xdist groups them
