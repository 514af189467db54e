"""Text from a file in whichever encoding a spreadsheet wrote it."""

import codecs
import os
import re
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "HARMLESS",
    "begins_with",
    "check_text",
    "decode",
    "encoding_notes",
    "lines_of",
    "read_bytes",
    "read_text",
    "read_utf8",
]

# Longer marks first: the UTF-32 mark begins with the UTF-16 one.
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
NOT_TEXT = {
    b"PK\x03\x04": "a zipped file, such as a workbook; save its sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old workbook; save its sheet as CSV",
    b"PAR1": "a Parquet file; give it the ending .parquet",
    b"\x1f\x8b": "a gzip file; unpack it",
    b"%PDF": "a PDF; export the table as CSV",
}
MIXED = "utf-8, here and there cp1252"  # as tables are that were put together from several
UNICODE = {"utf-8", "utf-8-sig"}
GUESSED = {MIXED, "cp1252", "latin-1"}  # which read any bytes of any encoding
SOME = 0.25  # as many letters beyond ASCII as are no UTF-8 have to be, in a file that mixes both
CONTROL = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f]")
# All other bytes: what has none but these holds no control character in any encoding.
HARMLESS = bytes(set(range(256)) - {*range(9), *range(0x0E, 0x1A), *range(0x1B, 0x20)})
STRANGE, BEYOND_ASCII = re.compile("[\udc80-\udcff]"), re.compile("[\x80-\ud7ff\ue000-\uffff]+")
SOMETHING = re.compile(r"[^\x1a\ufeff \t\r\n\v\f]")
BEGINNING, ASCII_END, OLD_END = 4096, 128, 0x1A
# Not str.splitlines, which also ends lines at form feeds, U+0085, U+2028 and others, which occur
# inside names.
LINE_END = re.compile(r"\r\n|\r|\n")


def read_text(path: str | PathLike[str]) -> tuple[str, str]:
    """Read a text file and name the encoding that was found in it."""
    return decode(read_bytes(path), Path(path).name)


def read_utf8(path: str | PathLike[str]) -> tuple[NDArray[np.uint8], str]:
    """Read a text file as UTF-8 without a byte order mark, and name the encoding found in it.

    What is ASCII is handed on as it is, however large it is: ``check_text`` looks for what no text
    holds.
    """
    data = _read_array(_existing(path))
    top = data[:BEGINNING].tobytes()
    is_plain = SOMETHING.search(top.decode("latin-1")) and not top.startswith(tuple(NOT_TEXT))
    is_plain = is_plain and 0 not in top  # every other byte of UTF-16
    if is_plain and data.max() < ASCII_END and data[-1] != OLD_END:
        return data, "utf-8"
    text, encoding = decode(data.tobytes(), Path(path).name)
    return np.frombuffer(text.encode(), dtype=np.uint8), encoding


def check_text(data: NDArray[np.uint8], name: str) -> None:
    """Refuse ASCII that holds control characters."""
    if (text := data.tobytes()).translate(None, HARMLESS):
        decode(text, name)


def read_bytes(path: str | PathLike[str]) -> bytes:
    """Read a file that exists and holds something."""
    path = _existing(path)
    data = path.read_bytes()
    if _is_blank(data):
        raise ValueError(f"{path.name} is empty")
    return data


def _is_blank(data: bytes) -> bool:
    return not data or data.isspace()


def _read_array(path: Path) -> NDArray[np.uint8]:
    """Read a file into an array: numpy's memory comes in pages of 2 MB, which cost a third."""
    with path.open("rb") as file:
        data = np.empty(os.fstat(file.fileno()).st_size, dtype=np.uint8)
        n_read = file.readinto(data.data)
        # A file may shrink or grow meanwhile, and a pipe tells no size.
        rest = file.read()
    found = data[:n_read]
    return np.append(found, np.frombuffer(rest, dtype=np.uint8)) if rest else found


def _existing(path: str | PathLike[str]) -> Path:
    """Return the path of a file that can be read to its end."""
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give the path of a file")
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path} (looked in {path.absolute().parent})")
    if path.is_char_device():  # some have no end
        raise ValueError(f"{path} is a device; give the path of a file")
    return path


def begins_with(path: str | PathLike[str], starts: tuple[bytes, ...]) -> bool:
    """Tell whether a file begins with one of some bytes; one that is not there does not."""
    path = Path(path)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(max(map(len, starts))).startswith(starts)


def lines_of(text: str) -> list[str]:
    """Split text where every text editor does: at line feeds and carriage returns only."""
    return LINE_END.split(text)


def decode(data: bytes, name: str) -> tuple[str, str]:
    """Turn bytes into text: by byte order mark, then UTF-16 by its zeros, UTF-8, Windows-1252."""
    for start, kind in NOT_TEXT.items():
        if data.startswith(start):
            raise ValueError(f"{name} is not a text table but {kind}")
    strange = "bytes that are not text"
    for encoding in _encodings(data):
        try:
            text = _decode_mixed(data) if encoding == MIXED else data.decode(encoding)
        except UnicodeDecodeError:
            continue
        # A form feed or the old end-of-file mark is harmless; no other control character is.
        control = CONTROL.search(text) if data.translate(None, HARMLESS) else None
        if control is not None:  # it is one in the encodings that are left, too
            line = 1 + _count_line_ends(text, control.start())
            strange = f"a control character ({control[0]!r}) in line {line:,}"
            break
        if SOMETHING.search(text) is None:
            raise ValueError(f"{name} is empty")
        return text.lstrip("\ufeff").rstrip("\x1a"), encoding
    raise ValueError(
        f"{name} is not a text file: it holds binary data, {strange}; "
        "export the table as CSV in UTF-8"
    )


def encoding_notes(encoding: str) -> list[str]:
    """Tell of an encoding other than UTF-8, and where it is no more than the likeliest."""
    if encoding in UNICODE:
        return []
    guess = (
        "; that is a guess: where letters are wrong, save it in UTF-8"
        if encoding in GUESSED
        else ""
    )
    return [f"The file is not in UTF-8; it was read as {encoding}{guess}."]


def _count_line_ends(text: str, before: int) -> int:
    """Count the line ends before a place, without making the lines."""
    feeds, returns, both = (text.count(end, 0, before) for end in ("\n", "\r", "\r\n"))
    return feeds + returns - both


def _encodings(data: bytes) -> list[str]:
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return [encoding]
    # Without a mark, UTF-16 shows by its zeros: every other byte of a Latin letter, digit or comma.
    # A stray zero in other text does not make it UTF-16.
    head = data[:4096]
    first, second = head[::2].count(0), head[1::2].count(0)
    many, few = max(first, second), min(first, second)
    if many > 1 and 10 * many >= len(head) and 4 * few <= many:
        return ["utf-16-be" if first > second else "utf-16-le"]
    return ["utf-8", MIXED, "cp1252", "latin-1"]


def _decode_mixed(data: bytes) -> str:
    """Read bytes that are no UTF-8 as Windows-1252, in a text that has letters in both."""
    text = data.decode("utf-8", errors="surrogateescape")
    strange = STRANGE.findall(text)
    n_good = sum(map(len, BEYOND_ASCII.findall(text)))
    if n_good < SOME * len(strange):
        raise UnicodeDecodeError("utf-8", data, 0, 1, "nothing in it is UTF-8")
    letters = {one: bytes([ord(one) - 0xDC00]).decode("cp1252") for one in set(strange)}
    return STRANGE.sub(lambda match: letters[match[0]], text)
