"""ZIP archives that lie about themselves, and arrays in them."""

import io
import struct
import zipfile

import numpy as np
import pytest
from numpy.lib import format as npy

from rankwright.persistence import archive
from rankwright.persistence.archive import Archive
from rankwright.persistence.errors import ModelFileError


def zipped(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()


def opened(content, size=None):
    return Archive(io.BytesIO(content), len(content) if size is None else size)


def in_directory(content, offset, value):
    """Set a field of two bytes in the entry of the first member."""
    place = content.index(b"PK\x01\x02") + offset
    return content[:place] + value.to_bytes(2, "little") + content[place + 2 :]


METHOD, COMPRESSED_SIZE = 10, 20


def test_members_are_read():
    content = zipped(one=b"1", two=b"22")
    assert opened(content).sizes == {"one": 1, "two": 2}
    assert opened(content).read("two") == b"22"


def test_members_of_a_file_on_disk_are_read(tmp_path):
    content = zipped(one=b"1")
    (tmp_path / "archive.zip").write_bytes(content)
    with open(tmp_path / "archive.zip", "rb") as file:
        assert Archive(file, len(content)).read("one") == b"1"


def test_two_members_of_one_name_are_refused():
    with pytest.raises(ModelFileError, match="two of its members have the same name"):
        opened(zipped(one=b"1", two=b"2").replace(b"two", b"one"))


def test_what_is_no_archive_is_refused():
    with pytest.raises(ModelFileError, match="not a ZIP archive"):
        opened(b"PK\x03\x04" + bytes(100))


@pytest.mark.parametrize("most", [1, 2])
def test_more_members_than_the_limit_are_refused(monkeypatch, most):
    monkeypatch.setattr(archive, "MOST_MEMBERS", most)
    if most == 2:
        assert len(opened(zipped(one=b"1", two=b"2")).sizes) == 2
        return
    with pytest.raises(ModelFileError, match="it has 2 members; 1 at most"):
        opened(zipped(one=b"1", two=b"2"))


@pytest.mark.parametrize("limit", [100, 200])
def test_a_directory_is_not_read_where_it_is_too_large(monkeypatch, limit):
    monkeypatch.setattr(archive, "LARGEST_DIRECTORY", limit)
    content = zipped(one=b"1" * 1000, two=b"2", three=b"3")
    if limit == 200:
        assert opened(content).read("one") == b"1" * 1000
        return
    monkeypatch.setattr(zipfile, "ZipInfo", None)
    with pytest.raises(ModelFileError, match="its directory has 149 bytes; 100 at most"):
        opened(content)


@pytest.mark.parametrize(
    ("n_bytes", "words"),
    [(2**24, "not a ZIP archive"), (2**24 + 1, "its directory has 16,777,217 bytes; 16,777,216")],
)
def test_a_directory_has_at_most_sixteen_megabytes(n_bytes, words):
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, n_bytes, 0, 0)
    with pytest.raises(ModelFileError, match=words):
        opened(bytes(n_bytes) + end)


@pytest.mark.parametrize(("field", "value"), [(METHOD, zipfile.ZIP_DEFLATED), (COMPRESSED_SIZE, 1)])
def test_a_member_that_would_be_unpacked_is_refused(field, value):
    with pytest.raises(ModelFileError, match="'one' is compressed"):
        opened(in_directory(zipped(one=b"11"), field, value))


def test_members_may_be_as_large_as_the_file_and_no_larger():
    assert opened(zipped(one=b"1", two=b"22"), size=3)
    with pytest.raises(ModelFileError, match="larger than the file"):
        opened(zipped(one=b"1", two=b"22"), size=2)


@pytest.mark.parametrize("name", ["other", ["one"], None])
def test_a_member_that_is_not_there_is_refused(name):
    with pytest.raises(ModelFileError, match="it has no member"):
        opened(zipped(one=b"1")).read(name)


def test_a_member_with_another_checksum_is_refused():
    with pytest.raises(ModelFileError, match="'one' can't be read"):
        opened(zipped(one=b"abcdef").replace(b"abcdef", b"abcdeg")).read("one")


def test_a_member_shorter_than_it_claims_is_refused():
    short = opened(zipped(one=b"1"))
    short.sizes["one"] = 2
    with pytest.raises(ModelFileError, match="'one' is cut short"):
        short.read("one")


def saved(array, version=None):
    buffer = io.BytesIO()
    npy.write_array(buffer, array, version=version)
    return buffer.getvalue()


@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
@pytest.mark.parametrize(
    "array",
    [
        np.arange(6).reshape(2, 3),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.array(5),
        np.empty((0, 3)),
        np.array([("a", 1.5)], dtype=[("name", "U3"), ("value", "f8")]),
        np.array(["2024-01-01"], dtype="datetime64[D]"),
    ],
)
def test_an_array_comes_back_as_it_was(array, version):
    read = opened(zipped(array=saved(array, version))).array("array")
    np.testing.assert_array_equal(read, array)
    assert read.dtype == array.dtype
    assert read.flags.writeable
    assert read.flags.owndata
    assert (read.flags.c_contiguous, read.flags.f_contiguous) == (
        array.flags.c_contiguous,
        array.flags.f_contiguous,
    )


@pytest.mark.parametrize("content", [b"", b"no array", saved(np.arange(3))[:40]])
def test_an_array_without_a_header_is_refused(content):
    with pytest.raises(ModelFileError, match="'array' has no valid header"):
        opened(zipped(array=content)).array("array")


def headed(descr, shape, data):
    buffer = io.BytesIO()
    header = {"descr": descr, "fortran_order": False, "shape": shape}
    npy.write_array_header_1_0(buffer, header)
    return buffer.getvalue() + data


@pytest.mark.parametrize("descr", ["|O", [("a", "|O"), ("b", "<i8")]])
def test_an_array_of_objects_is_refused(descr):
    with pytest.raises(ModelFileError, match="not plain values"):
        opened(zipped(array=headed(descr, (1,), bytes(16)))).array("array")


@pytest.mark.parametrize(
    ("descr", "shape", "n_bytes"),
    [
        ("<i8", (3,), 16),
        ("<i8", (1,), 16),
        ("<i8", (-1,), 8),
        ("<i8", (-1, -2), 16),
        ("<i8", (-1, 0), 0),
        ("<i8", (0, -1), 0),
        ("|V0", (5,), 0),
        ("|V0", (10**9,), 0),
    ],
)
def test_an_array_that_does_not_fill_its_bytes_is_refused(descr, shape, n_bytes):
    with pytest.raises(ModelFileError, match="claims the shape"):
        opened(zipped(array=headed(descr, shape, bytes(n_bytes)))).array("array")


def test_an_empty_array_of_empty_values_is_read():
    read = opened(zipped(array=headed("|V0", (0, 2), b""))).array("array")
    assert read.shape == (0, 2)


def test_an_empty_array_of_impossible_shape_is_refused():
    with pytest.raises(ModelFileError, match="larger than the file"):
        opened(zipped(array=headed("<i8", (0, 2**62, 2**62), b""))).array("array")


@pytest.mark.parametrize("shape", [(0, 900_000_000), (900_000_000, 0), (10**5, 0, 10**5)])
def test_an_axis_beside_one_of_no_length_is_paid_for(shape):
    with pytest.raises(ModelFileError, match="larger than the file"):
        opened(zipped(array=headed("<f8", shape, b""))).array("array")


def test_an_empty_array_may_be_as_wide_as_the_file_is_long():
    archive = opened(zipped(array=headed("<f8", (0, 256), b""), rest=bytes(300)))
    assert archive.array("array").shape == (0, 256)


def test_an_array_of_more_axes_than_numpy_has_is_refused():
    assert opened(zipped(array=headed("|u1", (1,) * 64, b"x"))).array("array").ndim == 64
    with pytest.raises(ModelFileError, match=r"its array 'array' can't be read \("):
        opened(zipped(array=headed("|u1", (1,) * 65, b"x"))).array("array")


@pytest.mark.parametrize("shape", [(2,), (0, 2), (1, 2)])
def test_an_archive_of_nothing_pays_for_one_row_alone(shape):
    opened(zipped()).check_shape((1, 0))
    with pytest.raises(ModelFileError, match="larger than the file"):
        opened(zipped()).check_shape(shape)


def test_an_array_is_read_once():
    file = opened(zipped(array=saved(np.arange(3))))
    file.array("array")
    with pytest.raises(ModelFileError, match="uses it twice"):
        file.array("array")
