"""Where options may stand: before and after the program, and what is the program's own."""

import json
import sys

import pytest

from gradtape.cli import main, parser

ECHO = """
import json, sys
import tensorflow as tf
print(json.dumps(sys.argv[1:]))
x = tf.Variable(1.0)
for _ in range(3):
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
"""
# The commands that run a program, with options of theirs and what is understood by them.
COMMANDS = {
    "run": (["--serve", "mylib", "--full-traceback"], {"serve": ["mylib"], "full_traceback": True}),
    "explain": ([], {}),
    "view": (["-o", "x.html", "--call=2"], {"output": "x.html", "call": 2}),
    "nan": (["--inf"], {"inf": True}),
    "launch": (
        ["-n", "2", "--cpu-devices", "3", "--timeout=60", "--fault-timeout", "9"],
        {"processes": 2, "cpu_devices": 3, "timeout": 60.0, "fault_timeout": 9.0},
    ),
}
# What a program may be given.
OWN = [
    [],
    ["--epochs", "3"],
    ["data", "-v", "-1", "--rate=0.1", "two words", "-x", "y"],
    ["--help"],
]


def understood(arguments):
    chosen = vars(parser().parse_args(arguments))
    return chosen["program"], chosen["arguments"], chosen


def test_every_command_that_runs_a_program_is_tested_here():
    choices = next(a.choices for a in parser()._actions if a.choices)
    takes_program = {name for name, command in choices.items() if command.takes_program}
    assert takes_program == set(COMMANDS)


@pytest.mark.parametrize("own", OWN, ids=" ".join)
@pytest.mark.parametrize("command", COMMANDS)
def test_options_stand_before_or_after_the_program(command, own):
    options, expected = COMMANDS[command]
    orders = [
        [command, *options, "train.py", *own],
        [command, "train.py", *options, *own],
        [command, "train.py", *own, *options],
        [command, *options, "train.py", "--", *own],
        [command, *options, "--", "train.py", *own],
        [command, "train.py", *options, "--", *own],
    ]
    for arguments in orders:
        program, given, chosen = understood(arguments)
        assert (program, given) == ("train.py", own), arguments
        assert {name: chosen[name] for name in expected} == expected, arguments


@pytest.mark.parametrize("command", COMMANDS)
def test_after_two_dashes_everything_is_the_programs(command):
    options, expected = COMMANDS[command]
    needed = options[:2] if command == "launch" else []
    program, given, chosen = understood([command, *needed, "p.py", "a", "--", *options, "--", "b"])
    assert (program, given) == ("p.py", ["a", *options, "--", "b"])
    for name, value in expected.items():
        assert name == "processes" or chosen[name] != value


def mistake(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("rnu p.py", "Did you mean run?"),
        ("nonsense", "invalid choice: 'nonsense'"),
        ("run --full-tracebck p.py", "unrecognized argument: --full-tracebck. Did you mean --full"),
        ("run --nonsense p.py", "unrecognized argument: --nonsense."),
        ("view --ouput=x p.py", "unrecognized argument: --ouput=x. Did you mean --output?"),
        ("view p.py -o", "argument --output/-o: expected one argument"),
        ("view p.py --call 0", "argument --call: 0: give a whole number of 1 or more"),
        ("view -o a p.py -o b", "-o is given twice. One that is the program's is written after --"),
        ("launch -n 2 p.py -n 3", "-n is given twice. One that is the program's is written after"),
        ("launch p.py", "the following arguments are required: -n/--processes"),
        ("launch --proceses 2 p.py", "unrecognized argument: --proceses. Did you mean --processes"),
        ("view -o x.html", "the following arguments are required: PROGRAM"),
        ("check f.py:f --shap 3", "unrecognized argument: --shap. Did you mean --shape?"),
        ("check f.py:f extra", "unrecognized argument: extra."),
        ("plan m.py --device 3", "unrecognized argument: --device. Did you mean --devices?"),
        ("plan m.py", "the following arguments are required: --devices"),
        ("doctor --verbose", "unrecognized argument: --verbose."),
    ],
)
def test_mistakes(capsys, arguments, words):
    assert words in mistake(capsys, *arguments.split())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("check f.py:f --shape 4,3 --order 2", {"shape": "4,3", "order": 2}),
        ("check --shape 4,3 --order 2 f.py:f", {"shape": "4,3", "order": 2}),
        ("check --at 1 f.py:f --at 2", {"at": ["1", "2"]}),
        ("plan m.py --devices 8 --batch 2", {"file": "m.py", "devices": 8, "batch": 2}),
        ("plan --devices 8 m.py --batch 2", {"file": "m.py", "devices": 8, "batch": 2}),
    ],
)
def test_commands_without_a_program(arguments, expected):
    chosen = vars(parser().parse_args(arguments.split()))
    assert {name: chosen[name] for name in expected} == expected


def test_a_near_miss_after_the_program_is_pointed_out(capsys):
    assert understood(["view", "p.py", "--ouput", "x"])[1] == ["--ouput", "x"]
    said = capsys.readouterr().err
    assert said == "gradtape view: --ouput is given to p.py. Did you mean --output?\n"
    understood(["view", "p.py", "--epochs", "3", "--help"])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", [*COMMANDS, "check", "plan", "doctor"])
def test_help_is_the_commands_before_the_program(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.startswith(f"usage: gradtape {command}")
    if command in COMMANDS:
        assert "all that follows it but the options below, and all that follows --" in shown


def test_view_writes_what_was_asked_for(folder):
    folder.write("echo.py", ECHO)
    finished = folder.gradtape("view", "echo.py", "-o", "x.html", "--call", "3", "--epochs", "2")
    assert json.loads(finished.stdout) == ["--epochs", "2"]
    assert "wrote x.html, the tape of gradient call 3." in finished.stderr
    assert (folder.path / "x.html").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="jobs are started on POSIX systems")
def test_launch_passes_the_programs_options_on(folder):
    folder.write("echo.py", ECHO)
    finished = folder.gradtape("launch", "-n", "1", "echo.py", "-v", "--", "--serve", "x", "--")
    assert finished.returncode == 0, finished.stderr
    assert '["-v", "--serve", "x", "--"]' in finished.stdout
