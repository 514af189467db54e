from pathlib import Path

from rankwright.cli.app import COMMANDS
from rankwright.cli.reference import reference

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def test_the_page_is_what_the_commands_say():
    # Every command and option has a help: without one, reference() raises.
    remedy = "python -m rankwright.cli.reference > docs/cli.md"
    assert PAGE.read_text() == reference(), f"write it anew: {remedy}"


def test_every_command_and_every_option_is_on_the_page():
    page = PAGE.read_text()
    for functions in COMMANDS.values():
        for function in functions:
            assert f"### `{function.__name__.replace('_', '-')}`" in page
    assert "`--changes FILE`" in page


def test_every_kind_of_file_that_is_read_as_a_table_is_named():
    page = PAGE.read_text()
    introduction, _, commands = page.partition("\n## ")
    for kind in ("CSV", "TSV", "Excel", "ODS", "JSON", "Parquet"):
        assert kind in introduction
        assert kind in next(line for line in commands.splitlines() if line.startswith("| `TABLE` "))
