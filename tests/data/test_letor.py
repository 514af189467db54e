import pytest

from rankwright.data import read_letor


def write(folder, **files):
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)


@pytest.mark.parametrize(
    ("train", "vali", "test"),
    [
        ("train.txt", "vali.txt", "test.txt"),
        ("train.txt", "valid.txt", "test.txt"),
        ("set1.train.txt", "set1.valid.txt", "set1.test.txt"),
        ("set2.train.txt", "set2.valid.txt", "set2.test.txt"),
        ("rank.train", "rank.valid", "rank.test"),
    ],
)
def test_all_parts_have_the_columns_of_the_widest(tmp_path, train, vali, test):
    (tmp_path / train).write_text("1 qid:1 1:2\n0 qid:1 1:3\n")
    (tmp_path / vali).write_text("1 qid:2 4:2\n")
    (tmp_path / test).write_text("1 qid:3 2:2\n")
    rows = read_letor(tmp_path)
    assert [part.X.shape for part in rows] == [(2, 4), (1, 4), (1, 4)]
    assert rows.validation.X.toarray().tolist() == [[0, 0, 0, 2]]
    assert rows.test.groups.tolist() == [3]


def test_lightgbms_files_of_sizes_are_found(tmp_path):
    (tmp_path / "rank.train").write_text("1 1:2\n0 1:3\n2 1:1\n")
    (tmp_path / "rank.train.query").write_text("2\n1\n")
    rows = read_letor(tmp_path)
    assert rows.train.groups.tolist() == [0, 0, 1]
    assert rows.validation is rows.test is None


def test_a_folder_without_such_files_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"has none of the files train\.txt"):
        read_letor(tmp_path)


def test_a_feature_zero_in_one_file_is_the_first_column_of_all(tmp_path):
    (tmp_path / "train.txt").write_text("1 qid:1 0:5 2:2\n")
    (tmp_path / "test.txt").write_text("1 qid:2 2:3\n")
    rows = read_letor(tmp_path)
    assert rows.train.X.toarray().tolist() == [[5, 0, 2]]
    assert rows.test.X.toarray().tolist() == [[0, 0, 3]]


def test_files_of_two_collections_are_not_mixed(tmp_path):
    (tmp_path / "set1.train.txt").write_text("1 qid:1 1:1\n")
    (tmp_path / "set1.test.txt").write_text("1 qid:2 1:2\n")
    for part in ("train", "valid", "test"):
        (tmp_path / f"set2.{part}.txt").write_text("1 qid:9 1:9\n")
    (tmp_path / "set2.test.txt").unlink()
    rows = read_letor(tmp_path)
    assert [part if part is None else part.y.shape for part in rows] == [(1,), None, (1,)]
    assert rows.test.groups.tolist() == [2]
