import sys
from zipfile import ZipFile

import pandas as pd
import pytest

from rankwright.report import xlsx_bytes


def test_texts_stay_texts_whatever_they_begin_with(tmp_path):
    frame = pd.DataFrame(
        {"=2+2": ["=1+1", "+A1", "@x", "http://a.b"], "n": [1.5, None, True, [1, 2]]},
        index=pd.Index(["-B2", "b", "c", "d"], name="item"),
    )
    path = tmp_path / "book.xlsx"
    path.write_bytes(xlsx_bytes({"a/b[1]": frame, "A B 1": frame, "": frame}))
    with ZipFile(path) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        names = book.read("xl/workbook.xml").decode()
        texts = book.read("xl/sharedStrings.xml").decode()
    assert "<f>" not in sheet
    assert "hyperlink" not in sheet
    assert all(f">{text}<" in texts for text in ["=1+1", "+A1", "@x", "http://a.b", "-B2", "1, 2"])
    assert "<v>1.5</v>" in sheet
    assert names.count("<sheet ") == 3


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(ImportError, match=r"install rankwright\[excel\]"):
        xlsx_bytes({})
