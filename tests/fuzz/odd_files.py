"""What the fuzzers of files share: seeded cases, odd encodings, and damage.

``RANKWRIGHT_FUZZ_CASES`` sets the cases of each test (300 by default; 1,000,000 take hours),
``RANKWRIGHT_FUZZ_SEED`` their seed (0). A failure names its case; alone it is repeated by
``RANKWRIGHT_FUZZ_ONLY=17 pytest tests/fuzz/test_tables.py``.
"""

import faulthandler
import os
import warnings

import numpy as np
import pytest

__all__ = [
    "CASES",
    "NEWLINES",
    "NOT_LINE_ENDS",
    "ONLY",
    "cases",
    "chance",
    "damage",
    "encode",
    "pick",
    "refuse_or_read",
]

CASES = int(os.environ.get("RANKWRIGHT_FUZZ_CASES", "300"))
SEED = int(os.environ.get("RANKWRIGHT_FUZZ_SEED", "0"))
ONLY = os.environ.get("RANKWRIGHT_FUZZ_ONLY")
SECONDS_FOR_A_CASE = 60

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
NEWLINES = ["\n", "\r\n", "\r"]
NOT_LINE_ENDS = ["\x85", "\u2028", "\x0b", "\x0c"]  # for str.splitlines they are


def cases(number=CASES):
    """Return a generator for each case, and end the run when one hangs."""
    for case in [int(ONLY)] if ONLY else range(number):
        faulthandler.dump_traceback_later(SECONDS_FOR_A_CASE, exit=True)
        yield case, np.random.default_rng([SEED, case])
    faulthandler.cancel_dump_traceback_later()


def chance(rng, probability):
    return bool(rng.random() < probability)


def pick(rng, values):
    return values[int(rng.integers(len(values)))]


def encode(rng, text):
    encodings = [e for e in ENCODINGS if e != "cp1252" or _fits_cp1252(text)]
    return text.encode(pick(rng, encodings))


def _fits_cp1252(text):
    try:
        # Bytes above 127 have to be there, and may not happen to be UTF-8.
        return not text.isascii() and "\x85" not in text and not _is_utf8(text.encode("cp1252"))
    except UnicodeEncodeError:
        return False


def _is_utf8(data):
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


TOKENS = [
    *["\0", "\x1a", "\ufeff", '"', '""', "'", "\t", "\n", "\r", ";", ",", ",,,,", "|", ":", "#"],
    *["{", "}", "{}", "-", "--", "%", "€", "NaN", "inf", "1e999", "1e-300", "1e-9999999", "0x1f"],
    *["1_000", "\u0663", "9" * 20, "9" * 5000, "-1", "1e308", "qid:", "qid:x", "1:", ":1", " "],
    *[" " * 100_000, "1," * 30_000, "{" * 30_000, '"' * 30_001, "x" * 200_000, *NOT_LINE_ENDS],
    *["=1+1", "<html>", "sep=;", "TRUE", "Total", "None", "[[", "]]", "changes = 3\n", "\\"],
]


def damage(rng, data):
    """Damage bytes in a few places."""
    for _ in range(int(rng.integers(1, 6))):
        at = int(rng.integers(len(data) + 1))
        end = at + int(rng.integers(0, 30))
        match int(rng.integers(6)):
            case 0:
                data = (
                    data[:at] + bytes(rng.integers(0, 256, end - at, dtype=np.uint8)) + data[end:]
                )
            case 1:
                data = data[:at] + data[end:]
            case 2:
                data = data[:at] + data[at:end] * int(rng.integers(2, 20)) + data[end:]
            case 3:
                data = data[:at]
            case _:
                data = data[:at] + pick(rng, TOKENS).encode() + data[at:]
    return data


def refuse_or_read(case, reader, path, **options):
    """Read a damaged file; return None where it is refused by a ValueError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return reader(path, **options)
        except ValueError:
            return None
        except Exception as error:  # what the reader must not raise
            kept = path
            if path.is_file():  # the next case would write over it
                kept = path.with_name(f"case {case}{path.suffix}")
                kept.write_bytes(path.read_bytes())
            pytest.fail(f"case {case}: {type(error).__name__}: {error}; the file is {kept}")
