"""The guide docs/functions.md: its programs run, and its messages are those that are given."""

from __future__ import annotations

import re
from pathlib import Path

import gradtape as tf

GUIDE = (Path(__file__).parents[2] / "docs" / "functions.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)


def test_the_programs_run(capsys):
    step, first_large, cell = PROGRAMS
    exec(step, {})
    assert "Variable <- %" in capsys.readouterr().out
    names = {"tf": tf}
    exec(first_large, names)
    assert float(names["first_large"](tf.constant([1.0, 5.0, 7.0]), tf.constant(4.0))) == 5.0
    names = {
        "tf": tf,
        "recurrent": tf.ones((2, 8)),
        "rows": tf.ones((20, 3, 8)),
        "zeros": tf.zeros((3, 2)),
    }
    exec(cell, names)
    assert names["h"].shape == names["c"].shape == (3, 2)


def test_the_message_about_traces(caplog):
    @tf.function
    def step(x, options):
        return x * options["rate"]

    for n in range(5):
        step(tf.ones(2), {"rate": n / 10})
    (shown,) = re.findall(r"```\n(tf.function step \(.*?)```", GUIDE, re.DOTALL)
    place = re.compile(r"\(\S+:\d+\)")
    line = f"test_guide.py:{step.python_function.__code__.co_firstlineno})"
    assert line in caplog.text
    assert place.sub("", " ".join(shown.split())) in place.sub("", caplog.text)
