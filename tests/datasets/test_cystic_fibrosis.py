from pathlib import Path

import numpy as np
import pytest

from rankwright.datasets import load_cystic_fibrosis

ORIGINAL = Path(__file__).parents[3] / "shared/data/cystic-fibrosis/cfquery.xml"

QUERIES = """<root>
<QUERY><QueryNumber>00001</QueryNumber>
<Records><Item score="1222">139</Item><Item score="0010">151</Item></Records></QUERY>
<QUERY><QueryNumber>00092</QueryNumber>
<Records><Item score="2011">7</Item><Item score="00018">00093</Item>
<Item score="0102">7</Item></Records></QUERY>
</root>"""


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "cfquery.xml"
        path.write_text(text)
        return path

    return write


@pytest.mark.skipif(not ORIGINAL.exists(), reason="the original cfquery.xml is not here")
def test_the_original_has_100_queries_and_4819_pairs():
    pairs = load_cystic_fibrosis(ORIGINAL)
    assert pairs.X.shape == (4819, 3)
    assert sorted(set(pairs.groups)) == list(range(1, 101))
    assert pairs.X.index.is_unique
    assert set(pairs.y) == {0, 1, 2}


def test_a_swallowed_query_is_split_off(written):
    pairs = load_cystic_fibrosis(written(QUERIES))
    assert pairs.groups.tolist() == [1, 1, 92, 93]
    assert pairs.X.index.tolist() == [(1, 139), (1, 151), (92, 7), (93, 7)]


@pytest.mark.parametrize("judge", [1, 2, 3, 4])
def test_the_judge_is_the_target_and_the_others_are_features(written, judge):
    pairs = load_cystic_fibrosis(written(QUERIES), judge=judge)
    grades = np.array([[1, 2, 2, 2], [0, 0, 1, 0], [2, 0, 1, 1], [0, 1, 0, 2]])
    np.testing.assert_array_equal(pairs.y, grades[:, judge - 1])
    np.testing.assert_array_equal(pairs.X, np.delete(grades, judge - 1, axis=1))
    assert f"judge_{judge}" not in pairs.X


def test_a_fifth_judge_is_refused(written):
    with pytest.raises(ValueError, match="judge=5; choose from 1 to 4"):
        load_cystic_fibrosis(written(QUERIES), judge=5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no table at all", "is not XML"),
        ("<root></root>", "holds no graded documents"),
        (QUERIES.replace("1222", "1232x"), "query 1, document '139' has score='1232x'"),
        (QUERIES.replace("<QueryNumber>00001</QueryNumber>", ""), "has no number"),
    ],
)
def test_another_file_gets_a_clear_error(written, text, message):
    with pytest.raises(ValueError, match=message):
        load_cystic_fibrosis(written(text))
