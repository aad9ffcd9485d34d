"""The command line itself: help, versions, mistakes."""

import pytest

import gradtape
from gradtape.cli import main


def test_version(folder):
    finished = folder.gradtape("--version")
    assert (finished.returncode, finished.stdout) == (0, f"gradtape {gradtape.__version__}\n")


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["doctor", "--help"]])
def test_help(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith("usage: gradtape")
    assert "exit codes:" in shown or "examples:" in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "gradtape run train.py"),
        (["run"], "the following arguments are required: PROGRAM"),
        (["run", "--nonsense", "program.py"], "--nonsense"),
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["run", "nowhere.py"], "nowhere.py: no such file. Name a .py or .ipynb file."),
        (["run", "."], ".: a folder. Name a .py or .ipynb file."),
    ],
)
def test_mistakes_are_explained_without_a_traceback(folder, arguments, words):
    finished = folder.gradtape(*arguments)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert words in finished.stderr
    assert "Traceback" not in finished.stderr
