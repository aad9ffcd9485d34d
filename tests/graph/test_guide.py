"""The guide docs/functions.md: its message about traces is the one that is given."""

from __future__ import annotations

import re
from pathlib import Path

import gradtape as tf

GUIDE = (Path(__file__).parents[2] / "docs" / "functions.md").read_text(encoding="utf-8")


def test_the_message_about_traces(caplog):
    @tf.function
    def step(x, options):
        return x * options["rate"]

    for n in range(5):
        step(tf.ones(2), {"rate": n / 10})
    (shown,) = re.findall(r"```\n(tf.function step \(.*?)```", GUIDE, re.DOTALL)
    location = re.compile(r"\(\S+:\d+\)")
    line = f"test_guide.py:{step.python_function.__code__.co_firstlineno})"
    assert line in caplog.text
    assert location.sub("", " ".join(shown.split())) in location.sub("", caplog.text)
