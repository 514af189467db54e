import os
import subprocess
import sys

import pytest

from rankwright.cli.app import COMMANDS

HEAVY = ["numpy", "pandas", "sklearn", "scipy", "numba", "matplotlib", "highspy"]
NAMES = [
    function.__name__.replace("_", "-") for functions in COMMANDS.values() for function in functions
]


def test_help_lists_every_command_under_its_heading(rankwright):
    answer = rankwright("--help")
    assert answer.code == 0
    places = [answer.out.index(text) for panel in COMMANDS for text in (panel,)]
    assert places == sorted(places)
    assert all(f" {name} " in answer.out for name in NAMES)


@pytest.mark.parametrize("arguments", [["--help"], ["reverse", "--help"]])
def test_help_imports_nothing_heavy(arguments):
    code = (
        f"import sys; sys.argv = ['rankwright', *{arguments}]\n"
        "from rankwright.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.splitlines()[-1] == "[]", result.stderr


@pytest.mark.parametrize("name", NAMES)
def test_every_command_can_answer_machines_and_be_silent(rankwright, name):
    answer = rankwright(name, "--help")
    assert "--json" in answer.out or name == "studio"  # a page answers people alone
    assert "--quiet" in answer.out


def test_a_command_that_is_not_understood_has_its_own_exit_code(rankwright):
    assert rankwright("frobnicate").code == 2
    assert rankwright("fit").code == 2
    assert rankwright("fit", "x.csv", "--colour", "red").code == 2


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("rankwright re", "reverse"),
        ("rankwright fit t.csv --ranker exp", "expected-rank-regressor"),
    ],
)
def test_the_shell_completes_commands_and_values(words, completed):
    environment = {
        **os.environ,
        "_RANKWRIGHT_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    code = "from rankwright.cli import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert completed in result.stdout, result.stderr


def test_ctrl_c_while_the_program_is_loaded_ends_with_one_line():
    code = (
        "import sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'rankwright.cli.reverse':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Stop())\n"
        "from rankwright.cli import main; main()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 130
    assert result.stderr.splitlines() == ["Stopped before the command began."]


def test_ctrl_c_inside_code_made_of_text_ends_with_the_exit_code(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'rankwright.cli.reverse':\n"
        "            exec('raise KeyboardInterrupt')\n"
        "sys.meta_path.insert(0, Stop())\n"
    )
    result = subprocess.run(
        [sys.executable, "-m", "rankwright.cli", "version"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
    )
    assert result.returncode == 130  # by the signal it would be -2
