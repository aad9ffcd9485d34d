"""What it costs that a tape can explain itself: each op's line, and where paths end, noted always.

    python bench/explain_overhead.py

Two forms of the same method take turns in one process: `Recording.record` as it is, and as it would
be without the notes, made from its source by leaving those statements out. Printed are the medians
of the processor time, and the median of the ratios of neighboring samples. It measures the Python
engine, whose statements can be left out; the native one notes the same.
"""

import argparse
import ast
import inspect
import os
import statistics
import textwrap
import time

os.environ["GRADTAPE_NATIVE"] = "0"  # before gradtape is imported

import gradtape as tf
from gradtape.engine import recording as recording_module
from gradtape.engine.recording import Recording

NOTES = {"frame", "code"}  # the names that hold where the user's program is
GOAL = 1.05


class _WithoutNotes(ast.NodeTransformer):
    """Leaves out what is there only for explanations; counts what it left out."""

    def __init__(self) -> None:
        self.left_out = 0

    def visit_Assign(self, node: ast.Assign):
        if isinstance(node.targets[0], ast.Name) and node.targets[0].id in NOTES:
            self.left_out += 1
            return None
        return self.generic_visit(node)

    def visit_If(self, node: ast.If):
        asked = ast.unparse(node.test)
        if asked in ("self.lost is not None", "code is not self.user_code"):
            self.left_out += 1
            return None
        return self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple):
        location = [ast.unparse(element) for element in node.elts[-2:]]
        if location == ["code", "frame.f_lasti"]:
            self.left_out += 1
            node.elts[-2:] = [ast.Constant(None), ast.Constant(0)]
        return node


def record_without_notes():
    """`Recording.record`, without the statements that note places and ends of paths."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(Recording.record)))
    cut = _WithoutNotes()
    tree = ast.fix_missing_locations(cut.visit(tree))
    if cut.left_out != 5:
        raise SystemExit(
            f"Recording.record has changed: {cut.left_out} statements were left out instead of 5. "
            "Adapt this script to it."
        )
    names: dict = {}
    exec(compile(tree, recording_module.__file__, "exec"), vars(recording_module), names)
    return names["record"]


def square():
    x = tf.Variable(3.0)

    def step():
        with tf.GradientTape() as tape:
            y = x**2
        return tape.gradient(y, x)

    return step


def chain():
    x = tf.Variable(0.7)

    def step():
        with tf.GradientTape() as tape:
            y = x
            for _ in range(50):
                y = tf.sin((y * 1.1 + 0.3) * x)
        return tape.gradient(y, x)

    return step


def masked():
    """With an op that has no derivative (a comparison) in every turn."""
    x = tf.Variable([0.7, -0.3, 0.2])

    def step():
        with tf.GradientTape() as tape:
            y = x
            for _ in range(50):
                y = tf.where(y > 0.1, y * 1.1, y + 0.2)
        return tape.gradient(y, x)

    return step


# title: (workload, whether the goal is for it: it is for the overhead benchmark's own)
WORKLOADS = {
    "x**2 and its gradient": (square, True),
    "200 scalar operations and their gradient": (chain, True),
    "50 comparisons, choices and their gradient": (masked, False),
}


def sample(step, seconds: float) -> float:
    """Seconds per call, over calls that fill the given time."""
    calls = 0
    # Time that other programs take does not count: this one has a single thread.
    start = now = time.thread_time()
    while now - start < seconds:
        step()
        calls += 1
        now = time.thread_time()
    return (now - start) / calls


def measure(step, rounds: int, seconds: float, forms: dict) -> tuple[dict, float]:
    """(median seconds of each form, median of the ratios within a round)."""
    measured: dict[str, list[float]] = {name: [] for name in forms}
    for number in range(rounds + 1):
        order = list(forms) if number % 2 else list(reversed(forms))
        for name in order:
            Recording.record, Recording.end_path = forms[name]
            taken = sample(step, seconds)
            if number:  # the first round warms up
                measured[name].append(taken)
    with_notes, without = measured["with"], measured["without"]
    ratios = [a / b for a, b in zip(with_notes, without, strict=True)]
    return {n: statistics.median(v) for n, v in measured.items()}, statistics.median(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.01, help="of one sample")
    options = parser.parse_args()
    original = (Recording.record, Recording.end_path)
    forms = {"with": original, "without": (record_without_notes(), lambda *_: None)}
    print(f"{'':44}{'with':>10}{'without':>10}{'ratio':>8}  goal ≤ {GOAL}")
    try:
        for title, (make, has_goal) in WORKLOADS.items():
            times, ratio = measure(make(), options.rounds, options.seconds, forms)
            shown = "".join(f"{times[name] * 1e6:>7.1f} µs" for name in ("with", "without"))
            verdict = ("met" if ratio <= GOAL else "missed") if has_goal else "-"
            print(f"{title:<44}{shown}{ratio:>8.3f}  {verdict}")
    finally:
        Recording.record, Recording.end_path = original


if __name__ == "__main__":
    main()
