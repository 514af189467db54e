import numba

from rankwright.cli.output import Output


def test_the_first_compilation_is_announced_with_its_time(capsys):
    with Output().progress("Working", compiling=30):
        numba.njit(lambda x: 7 * x)(2)
    said = " ".join(capsys.readouterr().err.split())
    assert "Compiling what this machine has not needed so far" in said
    assert "up to about 30 seconds" in said


def test_silence_is_kept_about_compiling_too(capsys):
    with Output(quiet=True).progress("Working", compiling=30):
        numba.njit(lambda x: 8 * x)(2)
    assert capsys.readouterr().err == ""


def test_notes_are_kept_apart_from_the_result(capsys):
    output = Output(json=True)
    output.note("Guessed: something")
    output.show("for people only")
    output.result(answer=42)
    printed = capsys.readouterr()
    assert printed.out == '{\n  "answer": 42\n}\n'
    assert printed.err == "Guessed: something\n"


def test_nobody_is_asked_when_the_answer_is_for_machines():
    assert not Output(json=True).can_ask
    assert not Output(quiet=True).can_ask
