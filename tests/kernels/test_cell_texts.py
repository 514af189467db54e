import numpy as np
import pytest

from rankwright.kernels.cell_texts import hash_of, number_cells


def laid_out(texts):
    """Return texts one after the other as bytes, and where each begins and ends."""
    ends = np.cumsum([len(text) for text in texts])
    data = np.frombuffer("".join(texts).encode(), dtype=np.uint8)
    return data, ends - [len(text) for text in texts], ends


@pytest.mark.parametrize("digits", [5, 6, 7, 14])
def test_low_bits_of_a_hash_tell_texts_of_any_length_apart(digits):
    texts = [f"0.{number:0{digits}d}" for number in range(1000)]
    low = {int(hash_of(data, 0, len(text))) & 1023
           for text in texts for data in [laid_out([text])[0]]}  # fmt: skip
    assert len(low) > 400  # 632 of 1024 are taken by chance


def test_texts_are_numbered_in_the_order_in_which_they_come():
    data, starts, ends = laid_out(["12345678", "b", "12345678", "", "b", "12345679"])
    codes = np.empty(6, dtype=np.int64)
    firsts = number_cells(data, starts, ends, codes)
    assert codes.tolist() == [0, 1, 0, 2, 1, 3]
    assert firsts.tolist() == [0, 1, 3, 5]
