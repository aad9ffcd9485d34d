"""Random sequences of uses of one variable, beside a NumPy model; old snapshots never change."""

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import gradtape as tf
from tests.pairs import training, users
from tests.pairs.pairs import Snapshots, numbers, same

# Without JAX; and without what takes long for what it shows (files, models).
WRITERS = [n for n in users.WRITERS if n not in users.NEEDS_JAX | {"restore"}]
SLOW_READERS = {"checkpoint", "text", "Keras training on it"}
READERS = [n for n in users.READERS if n not in users.NEEDS_JAX | SLOW_READERS]


class OneVariable(RuleBasedStateMachine):
    """A variable under random uses; `cases` says how it may be made."""

    def begin(self, make, size):
        self.array = numbers(size)
        self.variable = make(self.array.copy())
        self.snapshots: list[Snapshots] = []
        self.tape = None

    def settle(self) -> None:
        """Keep numbers small and whole, so that everything stays exact."""
        if np.abs(self.array).max() > 2**10 or (self.array != np.round(self.array)).any():
            self.array = np.round(self.array) % 7
            self.variable.assign(self.array)

    @rule(name=st.sampled_from(WRITERS))
    def write(self, name):
        self.array = users.WRITERS[name](self.variable, self.array.copy())
        self.settle()

    @rule(how=st.sampled_from(["fit", "train_on_batch"]))
    def train(self, how):
        """Train the model to which the variable belongs, if it does."""
        model = getattr(self.variable, "model", None)
        if model is not None:
            training.train(model, how)
            self.array = self.array - 1.0

    @rule(name=st.sampled_from(READERS))
    def read(self, name):
        for actual, expected in users.READERS[name](self.variable, self.array.copy()):
            same(actual, expected)

    @rule()
    def look(self):
        self.snapshots.append(Snapshots(self.variable, self.array))

    @rule()
    def forget(self):
        self.snapshots.clear()

    @rule()
    def record(self):
        """Keep a tape open over later writes: what it kept must stay true."""
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(self.variable * self.variable)
        self.tape = (tape, y, 2 * self.array)

    @rule()
    def differentiate(self):
        if self.tape is not None:
            tape, y, expected = self.tape
            self.tape = None
            same(tape.gradient(y, self.variable), expected)

    @invariant()
    def values_are_right(self):
        if hasattr(self, "variable"):
            same(self.variable, self.array)
            for snapshot in self.snapshots:
                snapshot.check()


def cases(makers: dict, examples: int) -> type:
    """Return the unittest case of sequences that begin with one of `makers`."""

    class Sequences(OneVariable):
        @initialize(make=st.sampled_from(sorted(makers)), size=st.sampled_from(["small", "large"]))
        def first(self, make, size):
            self.begin(makers[make], size)

    Sequences.TestCase.settings = settings(
        max_examples=examples,
        stateful_step_count=20,
        suppress_health_check=list(HealthCheck),
    )
    return Sequences.TestCase
