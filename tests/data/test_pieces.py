"""A text that is split in several pieces holds what it holds in one."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import numpy as np
import pytest

from rankwright.data import pieces
from rankwright.data.pieces import Dialect, Places, split_pieces


@pytest.fixture
def split(monkeypatch):
    """Return a function that splits a text of two columns, separated by semicolons, in pieces."""

    def split_in(n_pieces, data, n_above=1):
        monkeypatch.setattr(pieces, "PIECE", 1)
        monkeypatch.setattr(pieces, "cpu_count", lambda: n_pieces)
        return split_pieces(data, Dialect(";", n_above, 2, "."))

    return split_in


def bytes_of(*lines, end="\n"):
    return np.array(bytearray("".join(f"{line}{end}" for line in ["name;pay", *lines]).encode()))


def told(found):
    places = [getattr(found.places, one.name).tolist() for one in fields(found.places)]
    return repr((places, found.notes.tolist(), found.n_records, found.mark))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("n_pieces", [2, 3, 6])
def test_decimal_marks_are_told_by_the_first_cell_that_tells_them(split, n_pieces, end):
    for doubtful in range(7):
        for certain in range(7):
            pay = ["7"] * 7
            pay[doubtful], pay[certain] = "1,234", "2,5"
            data = bytes_of(*(f"{cell};{cell}" for cell in pay), end=end)
            whole = split(1, data.copy())
            assert told(split(n_pieces, data)) == told(whole)
            assert whole.notes[:, :2].tolist() == [[certain, ord(",")]] * 2
            assert whole.notes[0, 2] == (doubtful if doubtful < certain else -1)


@pytest.mark.parametrize("marks", [("2,5", "2.5"), ("1,234", "1.234"), ("1,234", "1,235")])
def test_of_two_cells_that_tell_of_the_mark_the_upper_one_counts(split, marks):
    for first in range(6):
        for second in range(first + 1, 7):
            pay = ["7"] * 7
            pay[first], pay[second] = marks
            data = bytes_of(*(f"x;{cell}" for cell in pay))
            assert told(split(3, data.copy())) == told(split(1, data))


def test_blank_rows_count_as_records_and_are_no_rows(split):
    data = bytes_of("a;1", "", "b;2", "", "", "c;3", "", "d;4", "")
    for n_pieces in range(1, 6):
        found = split(n_pieces, data.copy())
        assert found.places.rows.tolist() == [2, 4, 7, 9]
        assert found.places.values[1].tolist() == [1, 2, 3, 4]
        assert found.n_records == 10


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_last_line_need_not_end(split, end):
    data = bytes_of("a;1", "b;2", "c;3", end=end)[: -len(end)]
    for n_pieces in range(1, 6):
        assert split(n_pieces, data.copy()).places.values[1].tolist() == [1, 2, 3]


@pytest.mark.parametrize("n_pieces", [2, 3, 6])
def test_lines_inside_a_quoted_cell_are_none_to_cut_at(split, n_pieces):
    data = np.array(bytearray(b'"na\nme";pay\n' + b'"' + 20 * b"a\n" + b'";1\nb;2\n'))
    found = split(n_pieces, data)
    assert found.places.values[1].tolist() == [1, 2]
    assert told(found) == told(split(1, data))


def test_doubled_quotes_are_still_doubled_when_all_is_split_once_more(split):
    data = bytes_of('"5""; 7""";', '"' + 20 * "a\n" + '";1')
    found = split(2, data)
    assert bytes(found.data[found.places.starts[0, 0] : found.places.ends[0, 0]]) == b'5"; 7"'
    assert told(found) == told(split(1, data))


@pytest.mark.parametrize("n_pieces", [1, 3])
def test_a_text_that_ends_above_the_table_is_not_split(split, n_pieces):
    data = bytes_of("a;1", "b;2")
    assert split(n_pieces, data, n_above=4) is None


@pytest.mark.parametrize(
    ("lines", "n_pieces"), [([], 1), (["a;1"] * 4, 2), (["a;1"] * 30, 3), (["a" * 90 + ";1"], 1)]
)
def test_a_piece_is_long_enough_for_a_thread_of_its_own(lines, n_pieces, monkeypatch):
    monkeypatch.setattr(pieces, "PIECE", 10)
    monkeypatch.setattr(pieces, "cpu_count", lambda: 3)
    threads = []

    def started(n):
        threads.append(n)
        return ThreadPoolExecutor(n)

    monkeypatch.setattr(pieces, "ThreadPoolExecutor", started)
    found = split_pieces(bytes_of(*lines)[:-1], Dialect(";", 1, 2, "."))
    assert len(found.places.rows) == len(lines)
    assert threads == [n_pieces]  # nothing had to be split twice


@pytest.mark.parametrize("quoted", ['"a ""b"" c";1', 'a;1\nb;2\n"c ""d"" e";3', '"a";1'])
def test_the_text_stays_as_it_is(split, quoted):
    data = bytes_of(quoted, "x;2", "y;3")
    before = data.tobytes()
    for n_pieces in (1, 2):
        found = split(n_pieces, data)
        assert data.tobytes() == before
        assert (found.data is data) == ('""' not in quoted)


def test_a_text_that_can_not_be_written_in_is_copied(split):
    data = bytes_of("a;1")
    data.flags.writeable = False
    assert split(1, data).data.flags.writeable


def test_places_beyond_two_billion_bytes_have_room_for_their_numbers():
    small, large = (Places.empty(2, 3, n_bytes) for n_bytes in (2**31 - 1, 2**31))
    for name in ("starts", "ends", "rows", "widths"):
        assert getattr(small, name).dtype == np.int32
        assert getattr(large, name).dtype == np.int64
