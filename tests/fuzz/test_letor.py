"""Rows of queries: svmlight files, and folders as the collections of LETOR publish them.

Every case makes grades, queries and features, writes them in some odd way, and reads them: all
values must be equal. Then bytes are damaged: the reader returns rows that fit together, or raises
ValueError. How to run more cases, or one, stands in ``odd_files``.
"""

import numpy as np
import pytest

from fuzz.odd_files import (
    CASES,
    NEWLINES,
    NOT_LINE_ENDS,
    ONLY,
    cases,
    chance,
    damage,
    encode,
    pick,
    refuse_or_read,
)
from rankwright.data import read_letor, read_svmlight


def write_number(rng, tenths):
    return pick(
        rng, [f"{tenths / 10}", f"{tenths}e-1", f"{tenths / 10:+.3f}", f"{tenths / 10:.1f}"]
    )


def make_rows(rng):
    """Return lines of svmlight, and the dense features, grades and queries in them."""
    n, d = int(rng.integers(1, 12)), int(rng.integers(1, 7))
    dense = rng.integers(-99, 99, (n, d)) * (rng.random((n, d)) < 0.7)
    grades, queries = rng.integers(0, 5, n), np.sort(rng.integers(0, 10**18, n))
    lines = []
    for row, grade, query in zip(dense, grades, queries, strict=True):
        words = [write_number(rng, 10 * grade), f"qid:{query}"]
        words += [
            f"{pick(rng, ['', '0', '00'])}{j}:{write_number(rng, value)}"
            for j, value in enumerate(row, start=1)
            if value or chance(rng, 0.2)
        ]
        gap = pick(rng, [" ", "  ", "\t", " " * 500])
        comment = pick(rng, ["", " # doc 1:2 qid:9", "#", f" # a{pick(rng, NOT_LINE_ENDS)}b"])
        lines.append(pick(rng, ["", " ", "\t"]) + gap.join(words) + comment)
        lines += [""] * chance(rng, 0.1) + ["# 1 qid:3 1:2"] * chance(rng, 0.1)
    return lines, dense / 10, grades, queries


def test_svmlight_rows_written_in_any_odd_way_come_back_equal(tmp_path):
    path = tmp_path / "rows.txt"
    for case, rng in cases():
        lines, dense, grades, queries = make_rows(rng)
        path.write_bytes(encode(rng, pick(rng, NEWLINES).join(lines)))
        X, y, groups = read_svmlight(path, n_features=dense.shape[1], zero_based=False)
        np.testing.assert_array_equal(X.toarray(), dense, err_msg=str(case))
        np.testing.assert_array_equal(y, grades, err_msg=str(case))
        np.testing.assert_array_equal(groups, queries, err_msg=str(case))


def make_letor(rng):
    """Return lines as the LETOR collections write them: every feature, and a document behind."""
    n, d = int(rng.integers(1, 12)), int(rng.integers(1, 47))
    dense = rng.integers(0, 10**6, (n, d)) / 10**6 * (rng.random((n, d)) < 0.8)
    grades, queries = rng.integers(0, 3, n), np.sort(rng.integers(1, 20_000, n))
    lines = []
    for row, grade, query in zip(dense, grades, queries, strict=True):
        features = " ".join(f"{j}:{value:.6f}" for j, value in enumerate(row, start=1))
        behind = pick(rng, DOCUMENTS).format(int(rng.integers(10**6)))
        lines.append(f"{grade} qid:{query} {features}{pick(rng, ['', ' '])}{behind}")
    return lines, dense, grades, queries


DOCUMENTS = [
    "",
    "#docid = GX{:03d}-00-0000000 inc = 1 prob = 0.0246906",
    "#docid = {} inc = 0.00213 prob = 1 2:3 qid:7",
    "# {}",
]


def test_letor_lines_come_back_equal(tmp_path):
    path = tmp_path / "Fold1 train.txt"
    for case, rng in cases():
        lines, dense, grades, queries = make_letor(rng)
        newline = pick(rng, NEWLINES)
        path.write_bytes(encode(rng, newline.join(lines) + pick(rng, ["", newline])))
        X, y, groups = read_svmlight(path)
        width = X.shape[1]  # trailing columns of zeros may be missing when nothing tells of them
        np.testing.assert_array_equal(X.toarray(), dense[:, :width], err_msg=str(case))
        assert not dense[:, width:].any(), case
        np.testing.assert_array_equal(y, grades, err_msg=str(case))
        np.testing.assert_array_equal(groups, queries, err_msg=str(case))


def test_damaged_letor_lines_are_read_or_refused_in_words(tmp_path):
    path = tmp_path / "Fold1 train.txt"
    for case, rng in cases():
        lines, *_ = make_letor(rng)
        path.write_bytes(damage(rng, encode(rng, "\n".join(lines))))
        refuse_or_read(case, read_svmlight, path)


def test_damaged_svmlight_rows_are_read_or_refused_in_words(tmp_path):
    path, sizes = tmp_path / "rows.txt", tmp_path / "rows.query"
    for case, rng in cases():
        lines, dense, *_ = make_rows(rng)
        path.write_bytes(damage(rng, encode(rng, "\n".join(lines))))
        refuse_or_read(case, read_svmlight, path)
        path.write_text("\n".join("1 1:2" for _ in dense))
        sizes.write_bytes(damage(rng, str(len(dense)).encode()))
        refuse_or_read(case, read_svmlight, path, query_sizes=sizes)


# Folders

PARTS = ("train", "validation", "test")
COLLECTIONS = {
    "MSLR": ("train.txt", "vali.txt", "test.txt"),
    "Istella": ("train.txt", "valid.txt", "test.txt"),
    "Yahoo": ("set1.train.txt", "set1.valid.txt", "set1.test.txt"),
    "LightGBM": ("rank.train", "rank.valid", "rank.test"),
}


class Part:
    """The rows of one file, and its lines."""

    def __init__(self, rng, style, d, first):
        n = int(rng.integers(1, 9))
        self.dense = rng.integers(-99, 99, (n, d)) / 10 * (rng.random((n, d)) < 0.6)
        self.grades = rng.integers(0, 5, n)
        self.groups = np.sort(rng.integers(0, 3, n))
        is_full = style == "MSLR"  # every feature is written, zeros too
        self.lines = []
        for row, grade, query in zip(self.dense, self.grades, self.groups, strict=True):
            words = [str(grade)] + [f"qid:{query}"] * (style != "LightGBM")
            words += [
                f"{j}:{write_number(rng, round(10 * value))}"
                for j, value in enumerate(row, start=first)
                if value or is_full or chance(rng, 0.1)
            ]
            self.lines.append(
                pick(rng, [" ", "  ", "\t"]).join(words) + pick(rng, ["", " ", " # x"])
            )
        self.sizes = np.unique(self.groups, return_counts=True)[1]
        has_zero = any(" 0:" in f" {line}".replace("\t", " ") for line in self.lines)
        self.tells_zero = first == 0 and has_zero

    def expected_groups(self, style):
        if style != "LightGBM":
            return self.groups
        return np.repeat(np.arange(len(self.sizes)), self.sizes)


def write_folder(rng, folder, style):
    """Write some of the files of a collection, among others; return what was written."""
    d, first = int(rng.integers(1, 7)), int(rng.integers(0, 2))
    parts = {}
    for part, name in zip(PARTS, COLLECTIONS[style], strict=True):
        if part != "train" and chance(rng, 0.3):
            continue
        parts[part] = Part(rng, style, d, first)
        newline = pick(rng, NEWLINES)
        end = pick(rng, ["", newline, 2 * newline])
        text = newline.join(parts[part].lines) + end
        # The one zero byte of a single digit in UTF-16 tells nothing.
        (folder / name).write_bytes(encode(rng, text) if len(text) > 1 else text.encode())
        if style == "LightGBM":
            sizes = pick(rng, ["\n", "\r\n", " "]).join(map(str, parts[part].sizes))
            (folder / f"{name}.query").write_text(sizes + pick(rng, ["", "\n"]))
    (folder / "README.txt").write_text("4 qid:1 1:1")
    if style == "Yahoo" and chance(rng, 0.5):
        (folder / "set2.test.txt").write_text("1 qid:1 99:1")  # of another collection
    return parts, d, first


@pytest.mark.parametrize("style", COLLECTIONS)
def test_a_folder_comes_back_equal_with_one_numbering_of_columns(tmp_path, style):
    for case, rng in cases(CASES // 4):
        folder = tmp_path / str(case)
        folder.mkdir()
        parts, d, first = write_folder(rng, folder, style)
        rows = read_letor(folder)._asdict()
        assert {part for part, read in rows.items() if read is not None} == set(parts), case
        # Without a feature 0 in any file, nothing tells that columns were counted from there.
        shift = int(first == 0 and not any(part.tells_zero for part in parts.values()))
        widths = {rows[part].X.shape[1] for part in parts}
        assert len(widths) == 1, case
        for name, part in parts.items():
            X, y, groups = rows[name]
            dense = part.dense[:, shift:]
            width = min(X.shape[1], dense.shape[1])
            found = X.toarray()
            np.testing.assert_array_equal(found[:, :width], dense[:, :width], err_msg=str(case))
            assert not found[:, width:].any(), case
            assert not dense[:, width:].any(), case
            np.testing.assert_array_equal(y, part.grades, err_msg=str(case))
            np.testing.assert_array_equal(groups, part.expected_groups(style), err_msg=str(case))
        assert max(widths) <= d, case


@pytest.mark.parametrize("style", COLLECTIONS)
def test_a_damaged_folder_is_read_as_rows_that_fit_together_or_refused(tmp_path, style):
    n_read = 0
    for case, rng in cases(CASES // 4):
        folder = tmp_path / str(case)
        folder.mkdir()
        write_folder(rng, folder, style)
        path = pick(rng, sorted(folder.iterdir()))
        path.write_bytes(damage(rng, path.read_bytes()))
        rows = refuse_or_read(case, read_letor, folder)
        n_read += rows is not None
        for part in rows or ():
            if part is not None:
                X, y, groups = part
                assert X.shape == (len(y), rows.train.X.shape[1]), case
                assert np.isfinite(X.data).all(), case
                assert np.isfinite(y).all(), case
                assert groups is None or len(groups) == len(y), case
    assert ONLY or 0 < n_read < CASES // 4
