"""Random sequences of uses of one variable, beside a NumPy model; old snapshots never change."""

import copy
import importlib.util
import pickle

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import gradtape as tf
from tests.pairs import training, users
from tests.pairs.pairs import Snapshots, numbers, same

# Compiled functions where there is JAX. All the others everywhere, files and models as well.
LEFT_OUT = set() if importlib.util.find_spec("jax") else users.NEEDS_JAX
WRITERS = [n for n in users.WRITERS if n not in LEFT_OUT]
READERS = [n for n in users.READERS if n not in LEFT_OUT]
COPIES = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda v: pickle.loads(pickle.dumps(v)),
}


def kept_small(variable: tf.Variable, array: np.ndarray) -> np.ndarray:
    """Keep the numbers of a variable small and whole, so that everything stays exact."""
    if np.abs(array).max() > 2**10 or (array != np.round(array)).any():
        same(variable, array)
        array = np.round(array) % 7
        variable.assign(array)
    return array


class OneVariable(RuleBasedStateMachine):
    """A variable under random uses; `cases` says how it may be made."""

    def begin(self, make, size):
        self.array = numbers(size)
        self.variable = make(self.array.copy())
        self.snapshots: list[Snapshots] = []
        self.originals: list[tuple[tf.Variable, np.ndarray]] = []  # of which a copy was made
        self.tape = None

    @rule(name=st.sampled_from(WRITERS))
    def write(self, name):
        written = users.WRITERS[name](self.variable, self.array.copy())
        self.array = kept_small(self.variable, written)

    @precondition(lambda self: hasattr(getattr(self, "variable", None), "model"))
    @rule(how=st.sampled_from(sorted(training.MODEL_USES)))
    def use_model(self, how):
        """Train, evaluate, save or load the model to which the variable belongs."""
        steps = training.MODEL_USES[how](self.variable.model)
        self.array = self.array - steps

    @rule(how=st.sampled_from(sorted(COPIES)))
    def go_on_with_a_copy(self, how):
        """The variable that was copied is watched on: nothing reaches it any more."""
        original, array = self.variable, self.array.copy()
        self.variable = COPIES[how](original)
        self.snapshots.append(Snapshots(original, array))
        self.tape = None
        self.originals.append((original, array))

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
            for variable, array in self.originals:
                same(variable, array)


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
