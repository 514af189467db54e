import re
from pathlib import Path

from rankwright.data import read_table

PAGE = Path(__file__).parents[2] / "docs" / "reading-files.md"


def test_the_page_shows_what_its_example_prints(tmp_path):
    fenced = re.findall(r"```(\w*)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    cameras, printed = [block for language, block in fenced if not language]
    path = tmp_path / "cameras.csv"
    path.write_text(cameras, encoding="utf-8")
    table = read_table(path, item="model", target="rank", group="subcategory")
    assert f"{table}\n" == printed
