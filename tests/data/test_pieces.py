"""A text that is split in several pieces holds what it holds in one."""

from dataclasses import fields

import numpy as np
import pytest

from rankwright.data import pieces
from rankwright.data.pieces import Dialect, Places, split_pieces


@pytest.fixture
def split(monkeypatch):
    """Return a function that splits a text of two columns, separated by semicolons, in pieces."""

    def split_in(n_pieces, data):
        monkeypatch.setattr(pieces, "PIECE", 1)
        monkeypatch.setattr(pieces, "cpu_count", lambda: n_pieces)
        return split_pieces(data, Dialect(";", 1, 2, "."))

    return split_in


def bytes_of(*lines, end="\n"):
    return np.array(bytearray("".join(f"{line}{end}" for line in ["name;pay", *lines]).encode()))


def told(found):
    places = [getattr(found.places, one.name).tolist() for one in fields(found.places)]
    return repr((places, found.notes.tolist(), found.n_records, found.mark))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
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
