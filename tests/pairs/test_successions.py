"""Each use of a variable comes right after each other: random sequences need not meet all pairs."""

import itertools
from collections.abc import Iterator

import pytest

import gradtape as tf
from tests.pairs import users
from tests.pairs.pairs import Snapshots, numbers, same
from tests.pairs.sequences import LEFT_OUT, kept_small

PARTS = 4


def reading(name: str):
    def use(v, array):
        for actual, expected in users.READERS[name](v, array.copy()):
            same(actual, expected)
        return array

    return use


def writing(name: str):
    return lambda v, array: kept_small(v, users.WRITERS[name](v, array.copy()))


USES = {f"read by {n}": reading(n) for n in users.READERS}
USES |= {f"written by {n}": writing(n) for n in users.WRITERS}
COMPILED = [n for n in USES if n.partition(" by ")[2] in users.NEEDS_JAX]
PLAIN = [n for n in USES if n not in COMPILED]


def every_pair(names: list[str]) -> list[str]:
    """A sequence of names in which each comes right after each, itself too: de Bruijn's."""

    def cycle() -> Iterator[str]:
        for i, name in enumerate(names):
            yield name
            for other in names[i + 1 :]:
                yield from (name, other)

    return [*cycle(), names[0]]


def use_in_turn(names: list[str]) -> None:
    array, before = numbers("small"), None
    v = tf.Variable(array)
    for name in names:
        snapshots = Snapshots(v, array)
        try:
            array = USES[name](v, array)
            same(v, array)
            snapshots.check()
        except AssertionError as error:
            raise AssertionError(f"{name} after {before}") from error
        before = name


def test_the_sequence_has_every_pair():
    names = list("abcd")
    sequence = every_pair(names)
    pairs = list(itertools.pairwise(sequence))
    assert sorted(pairs) == sorted((a, b) for a in names for b in names)


@pytest.mark.parametrize("part", range(PARTS))
def test_each_use_after_each_other(part):
    sequence = every_pair(PLAIN)
    size = -(-len(sequence) // PARTS)
    use_in_turn(sequence[part * size : (part + 1) * size + 1])  # the last is the next one's first


@pytest.mark.skipif(bool(LEFT_OUT), reason="compiled functions need JAX (make test-xla)")
@pytest.mark.parametrize("name", COMPILED)
def test_each_use_before_and_after_a_compiled_one(name):
    use_in_turn([each for other in [*PLAIN, *COMPILED] for each in (name, other)] + [name])
