"""Bytes taken eight at a time, beside Python's own counts of single ones."""

import numpy as np
import pytest

from rankwright.kernels.words import survey


def surveyed(text):
    """Survey a text that stands between bytes that do not count."""
    data = np.frombuffer(b'"\n\r' + text + b'"\n\r', dtype=np.uint8).copy()
    return tuple(survey(data, 3, 3 + len(text)))


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 16, 17, 2039, 2040, 2041, 5000])
def test_lines_are_counted_as_python_does(length):
    rng = np.random.default_rng(length)
    text = rng.choice([9, 10, 11, 12, 13, 14, 33, 34, 35, 138, 141], length).astype(np.uint8)
    text = text.tobytes()
    expected = text.count(b"\n"), text.count(b"\r"), b'""' in text
    assert surveyed(text) == expected


@pytest.mark.parametrize("place", range(20))
def test_doubled_quotes_are_seen_at_every_place(place):
    text = bytearray(b'"a' * 11)
    text[place : place + 2] = b'""'
    assert surveyed(bytes(text)) == (0, 0, True)
    assert surveyed(b'"a' * 11) == (0, 0, False)
