"""Text from a file in whichever encoding a spreadsheet wrote it."""

import codecs
import re
from os import PathLike
from pathlib import Path

__all__ = ["decode", "read_bytes", "read_text"]

# Longer marks first: the UTF-32 mark begins with the UTF-16 one.
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
NOT_TEXT = {
    b"PK\x03\x04": "an Excel or other zipped file; save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old Excel file; save the sheet as CSV",
    b"PAR1": "a Parquet file; give it the ending .parquet",
    b"\x1f\x8b": "a gzip file; unpack it",
    b"%PDF": "a PDF; export the table as CSV",
}
CONTROL = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f]")


def read_text(path: str | PathLike[str]) -> tuple[str, str]:
    """Read a text file and name the encoding that was found in it."""
    return decode(read_bytes(path), Path(path).name)


def read_bytes(path: str | PathLike[str]) -> bytes:
    """Read a file that exists and holds something."""
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give the path of a file")
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path} (looked in {path.absolute().parent})")
    data = path.read_bytes()
    if not data.strip():
        raise ValueError(f"{path.name} is empty")
    return data


def decode(data: bytes, name: str) -> tuple[str, str]:
    """Turn bytes into text: by byte order mark, then UTF-16 by its zeros, UTF-8, Windows-1252."""
    for start, kind in NOT_TEXT.items():
        if data.startswith(start):
            raise ValueError(f"{name} is not a text table but {kind}")
    for encoding in _encodings(data):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        # A form feed or the old end-of-file mark is harmless; no other control character is.
        if not CONTROL.search(text):
            return text.rstrip("\x1a"), encoding
    raise ValueError(f"{name} is not a text file: it holds binary data; export the table as CSV")


def _encodings(data: bytes) -> list[str]:
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return [encoding]
    head = data[:4096]
    if b"\0" in head:  # text in Latin letters has every other byte zero in UTF-16
        return ["utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"]
    return ["utf-8", "cp1252", "latin-1"]
