"""Bytes that become text, or are refused by what they are."""

import os
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest

from rankwright.data.textfile import (
    begins_with,
    check_text,
    decode,
    encoding_notes,
    lines_of,
    read_bytes,
    read_text,
    read_utf8,
)

TEXT = "name,rank\nMüller,1\nGroß,2\n"


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-32", "utf-32"),
        ("cp1252", "cp1252"),
    ],
)
def test_an_encoding_is_found_and_named(encoding, said):
    assert decode(TEXT.encode(encoding), "t.csv") == (TEXT, said)


def test_utf_32_of_the_other_byte_order_is_read_by_its_mark():
    data = b"\x00\x00\xfe\xff" + TEXT.encode("utf-32-be")
    assert decode(data, "t.csv") == (TEXT, "utf-32")


def test_bytes_that_windows_does_not_know_are_latin():
    assert decode(b"caf\xe9 \x81", "t.csv") == ("café \x81", "latin-1")


@pytest.mark.parametrize(
    ("data", "is_guess"),
    [(b"caf\xe9", True), (b"caf\xe9 \x81", True), (TEXT.encode("utf-16"), False)],
)
def test_an_encoding_that_reads_any_bytes_is_said_to_be_a_guess(data, is_guess):
    [note] = encoding_notes(decode(data, "t.csv")[1])
    assert ("; that is a guess: where letters are wrong" in note) == is_guess


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_nothing_is_said_of_utf_8(encoding):
    assert encoding_notes(decode(TEXT.encode(encoding), "t.csv")[1]) == []


@pytest.mark.parametrize("text", ["ab", "a,b\n", "a" * 5_000])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_short_and_long_text_without_a_mark_shows_by_its_zeros(text, encoding):
    assert decode(text.encode(encoding), "t.csv") == (text, encoding)


def test_a_few_names_in_another_script_do_not_hide_utf_16():
    text = "name\n" + "日本語の名前です\n" * 3 + "rank,1,2,3\n"
    assert decode(text.encode("utf-16-be"), "t.csv") == (text, "utf-16-be")


@pytest.mark.parametrize("zeros", [1, 2, 3])
def test_a_stray_zero_is_a_control_character_and_no_utf_16(zeros):
    data = b"name,rank\n" * 20 + b"a\x00" * zeros + b",1\n" + b"bcde,2\n" * 20
    with pytest.raises(ValueError, match=r"a control character \('\\x00'\) in line 21;"):
        decode(data, "t.csv")


def test_one_zero_in_a_short_text_is_a_control_character_too():
    with pytest.raises(ValueError, match=r"a control character \('\\x00'\) in line 1;"):
        decode(b"a,\x00\n", "t.csv")


def test_ascii_is_looked_through_for_control_characters():
    check_text(np.frombuffer(b"a,b\r\n\t\f1\n", dtype=np.uint8), "t.csv")
    with pytest.raises(ValueError, match=r"t\.csv .* a control character \(.*\) in line 2;"):
        check_text(np.frombuffer(b"a,b\n\x02,1\n", dtype=np.uint8), "t.csv")


@pytest.mark.parametrize("code", [0, 8, 0x0E, 0x19, 0x1B, 0x1F])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_control_characters_are_refused_with_their_line(code, encoding):
    data = f"name,rank\r\nx,1\ra{chr(code)},2\n".encode(encoding)
    with pytest.raises(ValueError, match=r"control character \(.*\) in line 3;"):
        decode(data, "t.csv")


def test_empty_lines_at_the_top_count_as_lines():
    with pytest.raises(ValueError, match=r"control character \(.*\) in line 4;"):
        decode(b"\n\r\nname,rank\na\x00,2\n", "t.csv")


def test_lines_end_at_feeds_and_returns_alone():
    assert lines_of("a\r\nb\rc\n\nd\fe\u2028f") == ["a", "b", "c", "", "d\fe\u2028f"]


@pytest.mark.parametrize("code", [9, 0x0B, 0x0C, 0x1A])
def test_tabs_and_form_feeds_are_harmless(code):
    text = f"a{chr(code)}b,1\n"
    assert decode(text.encode(), "t.csv") == (text, "utf-8")


def test_the_old_end_of_a_file_is_no_part_of_it():
    assert decode(b"a,b?\n\x1a\x1a", "t.csv")[0] == "a,b?\n"
    assert decode(b"a,b?\x1a", "t.csv")[0] == "a,b?"


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xef\xbb\xbf \r\n\t", b"\x1a"])
def test_marks_and_spaces_alone_are_nothing(data):
    with pytest.raises(ValueError, match=r"t\.csv is empty"):
        decode(data, "t.csv")


def test_a_file_that_mixes_encodings_has_each_letter_in_its_own():
    data = "Müller;Größe;Åse\n".encode() + "Größe\n".encode("cp1252")
    assert decode(data, "t.csv") == (
        "Müller;Größe;Åse\nGröße\n",
        "utf-8, here and there cp1252",
    )


def test_letters_that_only_happen_to_be_utf_8_do_not_mix_a_file():
    """One in five is too few: the file is what most of it says."""
    data = "éèàùç".encode("cp1252") + "é".encode()
    assert decode(data, "t.csv")[1] == "cp1252"


@pytest.mark.parametrize(
    ("start", "kind"),
    [(b"PK\x03\x04", "zipped"), (b"%PDF", "PDF"), (b"\x1f\x8b", "gzip"), (b"PAR1", "Parquet")],
)
def test_what_is_no_text_is_called_by_its_name(tmp_path, start, kind):
    (tmp_path / "t.csv").write_bytes(start + b",plain\n")
    with pytest.raises(ValueError, match=kind):
        read_utf8(tmp_path / "t.csv")


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "a,ü\n", "a,€\n", "a,b\n\x1a"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_bytes_in_utf_8_are_those_of_the_text(tmp_path, text, encoding):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(encoding))
    found, said = decode(path.read_bytes(), "t.csv")
    data, encoding = read_utf8(path)
    assert (data.tobytes(), encoding) == (found.encode(), said)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_read_to_its_end(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor(1) as threads:
        threads.submit((tmp_path / "pipe").write_bytes, b"a,b\n1,2\n")
        data, _ = read_utf8(tmp_path / "pipe")
    assert data.tobytes() == b"a,b\n1,2\n"


@pytest.mark.parametrize("claimed", [0, 3, 99])
def test_a_file_that_shrinks_or_grows_meanwhile_is_read_to_its_end(tmp_path, monkeypatch, claimed):
    (tmp_path / "t.csv").write_bytes(b"name,rank\nAsh,1\n")
    monkeypatch.setattr(os, "fstat", lambda _: SimpleNamespace(st_size=claimed))
    assert read_utf8(tmp_path / "t.csv")[0].tobytes() == b"name,rank\nAsh,1\n"


@pytest.mark.parametrize("content", [b"", b" \n", b"\f\v\n", 5000 * b" ", 5000 * b" " + b"\x1a"])
def test_a_text_without_anything_is_empty(tmp_path, content):
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(ValueError, match=r"t\.csv is empty"):
        read_utf8(tmp_path / "t.csv")


def test_a_folder_is_no_file_and_an_empty_one_says_nothing(tmp_path):
    with pytest.raises(ValueError, match="is a folder"):
        read_bytes(tmp_path)
    for content in (b"", b" \r\n\t "):
        (tmp_path / "t.csv").write_bytes(content)
        with pytest.raises(ValueError, match=r"t\.csv is empty"):
            read_bytes(tmp_path / "t.csv")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        read_bytes(tmp_path / "nowhere.csv")


def test_a_file_begins_with_the_longer_or_the_shorter_of_two_starts(tmp_path):
    path = tmp_path / "t"
    path.write_bytes(b"abcdef")
    assert begins_with(path, (b"x", b"abcd"))
    assert begins_with(path, (b"ab", b"wxyz"))
    assert begins_with(path, (b"bc",)) is False
    assert begins_with(tmp_path / "nowhere", (b"a",)) is False
    assert begins_with(tmp_path, (b"a",)) is False


def test_utf_16_of_the_other_byte_order_is_read_by_its_mark():
    assert decode(b"\xfe\xff" + TEXT.encode("utf-16-be"), "t.csv") == (TEXT, "utf-16")


def test_a_file_is_read_as_its_bytes_are(tmp_path):
    (tmp_path / "t.csv").write_bytes(TEXT.encode("cp1252"))
    assert read_text(tmp_path / "t.csv") == (TEXT, "cp1252")


def test_a_question_mark_at_the_beginning_is_text():
    assert decode(b"\xef\xbb\xbf?,b\n", "t.csv")[0] == "?,b\n"


@pytest.mark.parametrize(
    "text",
    [
        "日本語日本語日本1\n",  # one byte in ten is zero
        "abcdefgh\u0100\u0100",  # a quarter as many stand on the other side
    ],
)
def test_few_zeros_are_enough_to_tell_utf_16(text):
    assert decode(text.encode("utf-16-le"), "t.csv") == (text, "utf-16-le")


@pytest.mark.parametrize("text", ["日本語日本語日本日1\n", "abcdefg\u0100\u0100"])
def test_fewer_zeros_or_zeros_on_both_sides_are_no_text(text):
    with pytest.raises(ValueError, match="binary data"):
        decode(text.encode("utf-16-le"), "t.csv")


def test_zeros_far_below_do_not_make_a_file_utf_16():
    with pytest.raises(ValueError, match="control character"):
        decode(b"a,b\n" * 1024 + b"x\x00" * 3000, "t.csv")


def test_one_letter_of_utf_8_beside_four_others_mixes_a_file():
    text, said = decode(b"\xe9,\xe8,\xe0,\xf9,\xc3\xa9", "t.csv")
    assert (text, said) == ("é,è,à,ù,é", "utf-8, here and there cp1252")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_no_ascii_though_all_bytes_are(tmp_path, encoding):
    path = tmp_path / "t.csv"
    text = "Rank,Name,Zoom\n1,Teak,5\n2,Oak,7\n"
    path.write_bytes(text.encode(encoding))
    data, found = read_utf8(path)
    assert (data.tobytes().decode(), found) == (text, encoding)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_ascii_in_utf_16_without_a_mark_is_not_handed_on_as_it_is(tmp_path, encoding):
    (tmp_path / "t.csv").write_bytes("a,b\n1,2\n".encode(encoding))
    data, found = read_utf8(tmp_path / "t.csv")
    assert (data.tobytes(), found) == (b"a,b\n1,2\n", encoding)
