from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankwright.data import read_svmlight

LETOR = (
    "# made by hand\n"
    "2 qid:10 1:0.5 3:1.5 #docid = GX1\n"
    "0 qid:10 2:-1e-2\n"
    "\n"
    "1 qid:11 1:0.25 # inc 1\n"
)
SHARED = Path(__file__).parents[3] / "shared" / "data" / "lambdarank"


@pytest.fixture
def save(tmp_path):
    def write(text, name="train.txt", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_letor_file_gives_features_grades_and_queries(save, encoding):
    X, y, groups = read_svmlight(save(LETOR, encoding=encoding))
    np.testing.assert_array_equal(X.toarray(), [[0.5, 0, 1.5], [0, -0.01, 0], [0.25, 0, 0]])
    assert y.tolist() == [2, 0, 1]
    assert groups.tolist() == [10, 10, 11]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_encoding_and_line_ending_gives_the_same_rows(save, encoding, newline):
    text = LETOR.replace("by hand", "für Zoë").replace("\n", newline)
    X, y, groups = read_svmlight(save(text, encoding=encoding))
    np.testing.assert_array_equal(X.toarray(), [[0.5, 0, 1.5], [0, -0.01, 0], [0.25, 0, 0]])
    assert y.tolist() == [2, 0, 1]
    assert groups.tolist() == [10, 10, 11]


@pytest.mark.parametrize("inside", ["\x85", "\u2028", "\x0b", "\x0c"])
def test_a_comment_may_hold_what_only_some_programs_take_for_a_line_end(save, inside):
    text = f"1 qid:3 1:2 # a{inside}0 qid:4 1:9\n0 qid:3 1:1\n"
    assert read_svmlight(save(text)).groups.tolist() == [3, 3]
    with pytest.raises(ValueError, match="line 3: expected"):
        read_svmlight(save(text + "junk\n"))


def test_a_query_in_a_comment_is_none(save):
    assert read_svmlight(save("1 1:2 # qid:7\n# 1 qid:8\n0 1:3\n")).groups is None


def test_a_file_without_queries_has_no_groups(save):
    assert read_svmlight(save("1 1:2\n0 1:3\n")).groups is None


def test_the_largest_query_and_the_largest_feature_are_read(save):
    rows = read_svmlight(save(f"1 qid:{2**63 - 1} {2**31 - 1}:2\n"))
    assert rows.groups.tolist() == [2**63 - 1]
    assert rows.X.shape == (1, 2**31 - 1)


def test_query_sizes_give_the_groups(save):
    sizes = save("2\n1\n\n", "train.query")
    rows = read_svmlight(save("1 1:2\n0 1:3\n2 1:1\n"), query_sizes=sizes)
    assert rows.groups.tolist() == [0, 0, 1]


def test_a_test_file_gets_the_columns_of_the_training_file(save):
    assert read_svmlight(save("1 1:2\n"), n_features=5).X.shape == (1, 5)


def test_the_first_feature_is_number_one_or_zero(save):
    path = save("1 2:5\n")
    assert read_svmlight(path).X.toarray().tolist() == [[0, 5]]
    assert read_svmlight(path, zero_based=True).X.toarray().tolist() == [[0, 0, 5]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "train.txt is empty"),
        ("# only\n\n", "holds no rows"),
        ("1 1:2\nhello\n", "train.txt, line 2: expected"),
        ("1 1:2\n1,5 1:2\n", "line 2"),
        ("1 qid:x 1:2\n", "line 1"),
        ("1 a:2\n", "line 1"),
        ("1 1:2 junk\n", "line 1"),
        ("1 1:2\n1 1:nan\n", "line 2"),
        ("1 1:2\ninf 1:1\n", "line 2"),
        ("1 1:2\n1 3:1 2:1\n", "line 2: its features are not in increasing order"),
        ("1 1:2 1:2\n", "line 1: its features"),
        ("1 qid:1 1:2\n0 1:3\n", "1 of 2 rows have no qid"),
        ("model,zoom\nA,1\n", "line 1"),
        ("\ufeff", "train.txt is empty"),
        (f"1 1:2\n1 {10**20}:2\n", f"line 2: feature {10**20} is larger than 2147483647; number"),
        ("1 1:2\n1 2147483648:2\n", "line 2: feature 2147483648 is larger than"),
        ("1 " + "9" * 5000 + ":2\n", r"line 1: feature 9+\.\.\. is larger"),
        (f"1 qid:{10**20} 1:2\n", f"line 1: query {10**20} is larger than"),
        ("1 qid:" + "9" * 5000 + " 1:2\n", "line 1: query 9+"),
        ("1 1:1e999\n", "line 1: 1e999 is larger than any number here; scale"),
        ("1e999 1:1\n", "line 1: 1e999 is larger"),
        ("1 1:1_000\n", "line 1: expected"),
        ("1 1:2\n1_0 1:1\n", "line 2: expected"),
        ("1 qid:1_0 1:2\n", "line 1: expected"),
        ("1 \u0663:1\n", "line 1: expected"),
        ("1 0:2 1:1\nx\n", "line 2: expected"),
        ("1 qid:0 1:2\nx\n", "line 2: expected"),
        (f"1 qid:{10**18} 1:2\nx\n", "line 2: expected"),
        (f"1 qid:{2**63} 1:2\n", f"line 1: query {2**63} is larger than {2**63 - 1}; number"),
        (f"1 qid:{2**63 - 1} 1:2\nx\n", "line 2: expected"),
        (f"1 {2**31 - 1}:2\nx\n", "line 2: expected"),
        ("1 qid:1 1:2\n1 qid:x 1:2\n", "line 2: expected"),
        ("1 1:2\r\n1 1:2\r\nx\r\n", "line 3: expected"),
        ("1 2:1 " + "0" * 5000 + "1:2\n", "line 1: its features are not in increasing order"),
        ("1 qidx:1 1:2\n", "line 1: expected"),
        ("1 qid 1:2\n", "line 1: expected"),
        ("1 1:2\x85\n", "line 1: expected"),
        ("1 1:\u0663\n", "line 1: expected"),
        ("1 1:2\n1 1:2\0\n", "control character"),
        ("1" + " " * 50_000 + "x\n", "line 1: expected"),
        ("1 1:2" + " " * 50_000 + "x\n", "line 1: expected"),
        (" " * 50_000 + "x\n", "line 1: expected"),
        ("1 " + " ".join(f"{j}:12345" for j in range(1, 300)) + " junk\n", "line 1"),
    ],
)
def test_bad_input_is_refused_with_its_line(save, text, message):
    with pytest.raises(ValueError, match=message):
        read_svmlight(save(text))


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ("2\n2\n", "counts 4 rows in 2 queries, but train.txt has 3 rows"),
        ("2\n1.0\n", "query 2: expected a number of rows, found '1.0'"),
        ("3\n0\n", "query 2"),
        (f"{10**20}\n", f"query 1: {10**20} rows in one query, but train.txt has 3 rows"),
        ("9" * 5000, "query 1: 9+"),
        ("3\u0663", "query 1: expected a number of rows"),
    ],
)
def test_query_sizes_that_do_not_fit_are_refused(save, sizes, message):
    with pytest.raises(ValueError, match=message):
        read_svmlight(save("1 1:2\n0 1:3\n2 1:1\n"), query_sizes=save(sizes, "t.query"))


def test_queries_given_twice_are_refused(save):
    with pytest.raises(ValueError, match="leave out query_sizes"):
        read_svmlight(save(LETOR), query_sizes=save("2\n1\n", "t.query"))


decimals = st.from_regex(
    r"[+-]?(\d{1,25}(\.\d{0,25})?|\.\d{1,25})([eE][+-]?\d{1,3})?", fullmatch=True
).filter(lambda text: text.isascii() and abs(float(text)) < float("inf"))


@given(st.lists(decimals, min_size=2, max_size=6))
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_every_number_is_read_as_python_reads_it(save, numbers):
    words = " ".join(f"{place}:{number}" for place, number in enumerate(numbers[1:], start=1))
    rows = read_svmlight(save(f"{numbers[0]} {words}\n"))
    assert [*rows.y, *rows.X.data] == [float(number) for number in numbers]


def test_too_few_features_are_refused(save):
    with pytest.raises(ValueError, match=r"n_features=2, but .* has a feature 3"):
        read_svmlight(save(LETOR), n_features=2)


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.integers(1, 9),
            st.dictionaries(st.integers(1, 6), st.floats(-1e6, 1e6), max_size=6),
        ),
        min_size=1,
    )
)
def test_written_rows_come_back_equal(save, rows):
    lines = [
        " ".join([str(grade), f"qid:{query}", *(f"{j}:{v!r}" for j, v in sorted(features.items()))])
        for grade, query, features in rows
    ]
    X, y, groups = read_svmlight(save("\n".join(lines)), n_features=6)
    expected = [[features.get(j, 0) for j in range(1, 7)] for _, _, features in rows]
    np.testing.assert_array_equal(X.toarray(), expected)
    assert y.tolist() == [grade for grade, _, _ in rows]
    assert groups.tolist() == [query for _, query, _ in rows]


@pytest.mark.skipif(not SHARED.exists(), reason="measured data is not there")
def test_the_lambdarank_example_has_201_queries():
    X, _, groups = read_svmlight(SHARED / "rank.train", query_sizes=SHARED / "rank.train.query")
    assert X.shape == (3005, 300)
    assert len(np.unique(groups)) == 201


def test_a_carriage_return_inside_a_line_does_not_hide_what_is_wrong(tmp_path):
    path = tmp_path / "rows.txt"
    path.write_bytes(b"3 qid:0 2:5\r\n2 qid:0 1:5 2:7\r.7 3:9\r\n")
    with pytest.raises(ValueError, match=r"rows\.txt, line 2: expected 'grade qid:7"):
        read_svmlight(path)
