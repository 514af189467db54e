"""Quotation marks inside quoted cells that nobody doubled: "The "Old" Inn",5."""

import csv
import re

__all__ = ["mend_quotes"]

LINE = re.compile(r"[^\r\n]+")


def mend_quotes(text: str, separator: str) -> tuple[str, list[str]]:
    """Double the marks inside quoted cells of lines that can't be read otherwise; list the lines.

    A cell ends at a mark that a separator or the end of the line follows. Lines that open a cell
    of several lines are left as they are.
    """
    apart = re.escape(separator)
    quoted = re.compile(rf'(?:(?<={apart})|^)"(.*?)"(?={apart}|$)')
    mended = []

    def mend(found: re.Match[str]) -> str:
        line = found[0]
        if '"' in line and _has_stray_mark(line, separator):
            new = quoted.sub(
                lambda cell: '"' + cell[1].replace('""', '"').replace('"', '""') + '"', line
            )
            if not _has_stray_mark(new, separator):
                mended.append(line)
                return new
        return line

    return LINE.sub(mend, text), mended


def _has_stray_mark(line: str, separator: str) -> bool:
    try:
        next(csv.reader([line], delimiter=separator, strict=True))
    except csv.Error as error:
        return "expected after" in str(error)
    return False
