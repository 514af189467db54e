"""The links of the README, and the number that its Python prints."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#]+)\)", README))
def test_every_link_leads_somewhere(target):
    assert (ROOT / target).exists()


def test_a_printed_number_is_the_one_beside_it():
    block, stated = re.search(
        r"^```python\n((?:(?!```).)*?print.*?: ([\d.]+))$", README, re.DOTALL | re.MULTILINE
    ).groups()
    with redirect_stdout(StringIO()) as printed:
        exec(block, {})
    assert f"{float(printed.getvalue()):.2f}" == stated
