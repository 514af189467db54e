from types import SimpleNamespace

import pytest

import rankwright as rw
from rankwright.improve import Planner
from rankwright.plots import plot_frontier


@pytest.fixture
def cameras():
    """Figure 3 of "Reverse-engineering quality rankings" with the diamonds of Figures 4 and 5."""
    example = rw.datasets.load_cameras()
    planner = Planner(example.factors["weight"], example.changes, example.conflicts)
    camera = example.cameras.loc["camera_2"]
    marked = [
        *planner.best_plans(camera, 7),
        *planner.cheapest_plans(camera, gain=2),
    ]
    return plot_frontier(
        planner.frontier(camera), cloud=planner.plans(camera), marked=marked, budget=7, gain=2
    )


def test_the_cameras_look_like_the_stored_picture(cameras, looks_like):
    assert looks_like(cameras, "frontier_cameras") is None


def test_the_cloud_has_512_points_and_three_diamonds_are_named(cameras):
    assert len(cameras.lines[0].get_xdata()) == 512
    names = [text.get_text() for text in cameras.texts]
    assert names == ["Better lens", "Add 2 megapixels", "Wider angle"]


def test_labels_do_not_overlap_and_stay_inside(cameras):
    cameras.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in cameras.texts]
    frame = cameras.figure.bbox
    assert all(frame.contains(*box.min) and frame.contains(*box.max) for box in boxes)
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:number])


def test_the_price_of_certainty_looks_like_the_stored_picture(looks_like):
    def plan(cost, gain, guaranteed):
        values = {"cost": cost, "gain": gain, "guaranteed_gain": guaranteed}
        return SimpleNamespace(changes=(), position=None, **values)

    nominal = [plan(*values, None) for values in [(0, 0), (2, 3), (5, 5), (7, 6), (11, 7)]]
    robust = [plan(*values) for values in [(0, 0, 0), (3, 2.5, 2), (7, 6, 4), (12, 6.5, 6)]]
    assert looks_like(plot_frontier(nominal, robust=robust), "frontier_certainty") is None
