"""The command line itself: help, versions, mistakes."""

import importlib.metadata

import pytest

import gradtape
from gradtape.cli import doctor, main


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


@pytest.mark.keras
def test_doctor(folder):
    finished = folder.gradtape("doctor")
    assert finished.returncode == 0, finished.stdout
    assert f"numpy       {importlib.metadata.version('numpy')}" in finished.stdout
    assert finished.stdout.endswith("The gradient of x**2 at 3 is 6. All is well.\n")


def test_doctor_tells_what_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "installed", lambda package: None)
    assert doctor.doctor() == 1
    shown = capsys.readouterr().out
    assert "numpy is missing: pip install numpy" in shown
    assert "keras is missing: pip install keras" in shown
