"""Columns whose cells can't be compared."""

import pytest

import rankwright as rw
from rankwright.data import spreadsheet

MIXED = [
    ("$100 €95 £90 ¥85", "'$100' in row 2 and '€95' in row 3 are different currencies"),
    ("7 8 -$1 €1.234,5", "'-$1' in row 4 and '€1.234,5' in row 5 are different currencies"),
    ("EUR95 $7 $8 9", "'EUR95' in row 2 and '$7' in row 3 are different currencies"),
    ("3A$ $4 A$5 6", "'3A$' in row 2 and '$4' in row 3 are different currencies"),
    ("5EUR 6 3k€ 2USD", "'5EUR' in row 2 and '2USD' in row 5 are different currencies"),
]


@pytest.fixture(params=[0, 10**9], ids=["by bytes", "by rows"])
def table(request, tmp_path, monkeypatch):
    monkeypatch.setattr(spreadsheet, "LARGE", request.param)
    path = tmp_path / "t.csv"

    def read(cells, **options):
        rows = [f"i{i};{i};{cell};{i * 7 % 5}" for i, cell in enumerate(cells.split(), start=1)]
        path.write_text("\n".join(["name;rank;pay;v", *rows]), encoding="utf-8")
        return rw.read_table(path, **{"item": "name", "target": "rank"} | options)

    return read


@pytest.mark.parametrize(("cells", "said"), MIXED)
def test_a_column_of_two_currencies_is_no_factor_and_no_target(table, cells, said):
    read = table(cells)
    assert read.X.columns.tolist() == ["v"]
    assert f"Column 'pay' is not used as a factor: {said}." in read.notes
    for options in ({"factors": ["pay"]}, {"target": "pay", "target_is": "score"}):
        with pytest.raises(ValueError, match="different currencies; write all of them alike"):
            table(cells, **options)


@pytest.mark.parametrize(
    "cells", ["$5 5USD US$4 3", "€5 4EUR -€3 2", "£5 4GBP 3", "5kCHF CHF4 2", "¥1 JPY2"]
)
def test_one_currency_may_be_written_in_several_ways(table, cells):
    assert "pay" in table(cells).X.columns


def test_cells_that_are_fractions_and_percents_at_once_settle_nothing(table):
    read = table("51% 0.62 73 84% 70 99%")
    assert any("'51%' in row 2 has a percent sign and '0.62'" in note for note in read.notes)
    assert table("51% 0.62 0.7 84% 0.99 99%").X["pay"].tolist() == [
        0.51,
        0.62,
        0.7,
        0.84,
        0.99,
        0.99,
    ]
