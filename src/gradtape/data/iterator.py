"""Passes over a dataset: iterators, which checkpoints can save, and optional values."""

from __future__ import annotations

import json
from typing import Any, Self

import numpy as np

from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.errors import InvalidArgumentError, OutOfRangeError
from gradtape.core.state import EMPTY, State, get_state, set_state
from gradtape.core.tensor import Tensor
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.core.user_memory import read_only
from gradtape.data import structure
from gradtape.data.nodes import Failure, attempts, resumed
from gradtape.data.seeding import PASS, in_pass, new_pass
from gradtape.data.specs import IteratorSpec, OptionalSpec
from gradtape.graph.obstacles import TAKES_ELEMENTS, Obstacle


@filters_tracebacks
class Iterator:
    """One pass over a dataset.

    Its position can be saved with a checkpoint. To restore it, the dataset must be made in the
    same way; elements that were taken are passed over, without calling map functions on them unless
    there was an error.
    """

    def __init__(self, dataset) -> None:
        self._dataset = dataset
        self._node = dataset._node
        self._position = 0
        self._errors = 0  # that were raised in place of elements
        # The seeds as they are before this pass draws its own: enough to run it again.
        self._seeds = [stream.state for stream in self._node.seed_streams()]
        self._draws = new_pass()
        self._stream = in_pass(self._draws, self._node.stream)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        state = get_state()
        if state.trace is not None:
            state.trace.fail(TAKES_ELEMENTS, Obstacle.OTHER)
        before = PASS.get()
        try:  # an interrupt right after the change must not leave it
            PASS.set(self._draws)
            element = next(self._stream) if state is EMPTY else self._next_outside(state)
        except StopIteration:
            raise
        except Exception:
            self._errors += 1
            raise
        finally:
            PASS.set(before)
        self._position += 1
        return element

    def _next_outside(self, state: State) -> Any:
        """Return an element. No tape sees how: gradients do not flow through data."""
        try:
            set_state(EMPTY)
            return next(self._stream)
        finally:
            set_state(state)

    def get_next(self):
        """Return the next element; OutOfRangeError where there is none."""
        return next_element(self)

    def next(self):
        """Return the next element; raise StopIteration at the end."""
        return self.__next__()

    def get_next_as_optional(self) -> Optional:
        """Return the next element, or an empty optional."""
        try:
            return Optional.from_value(next(self))
        except StopIteration:
            return Optional.empty(self.element_spec)

    @property
    def element_spec(self):
        """Return the structure of an element."""
        return self._dataset.element_spec

    @property
    def _type_spec(self) -> IteratorSpec:
        return IteratorSpec(self.element_spec)

    def _checkpoint_state(self) -> np.ndarray:
        """Return the position and the seeds, for a checkpoint."""
        flat = [number for seeds in self._seeds for number in seeds]
        errors = [self._errors] if self._errors else []
        return np.array([self._position, *flat, *errors], np.int64)

    def _restore_checkpoint_state(self, state: np.ndarray) -> None:
        position, *numbers = (int(number) for number in state)
        streams = self._node.seed_streams()
        errors = numbers.pop() if len(numbers) % 3 == 1 else 0
        if position < 0 or errors < 0 or len(numbers) != 3 * len(streams):
            raise InvalidArgumentError(
                "The saved iterator belongs to another dataset: it has the seeds of "
                f"{len(numbers) // 3} random steps, and this dataset has {len(streams)}."
            )
        for index, stream in enumerate(streams):
            stream.state = numbers[3 * index : 3 * index + 3]
        self._seeds = [stream.state for stream in streams]
        self._position, self._errors = position, errors
        self._draws = new_pass()
        if not errors:
            self._stream = in_pass(self._draws, self._node.stream, position)
            return
        # Only a pass from the start tells which of the inputs had the errors.
        stream = in_pass(self._draws, self._node.stream)
        self._stream = resumed(_behind(stream, position, errors))


def _behind(stream: Any, elements: int, errors: int) -> Any:
    """Yield what a pass has after so many elements and errors; of errors, fewer may come again."""
    for item in attempts(stream):
        if type(item) is Failure and errors:
            errors -= 1
        elif type(item) is not Failure and elements:
            elements -= 1
        else:
            yield item
            errors = errors if elements else 0


@filters_tracebacks
class NumpyIterator:
    """One pass over a dataset, as NumPy values."""

    def __init__(self, dataset) -> None:
        self._iterator = Iterator(dataset)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return structure.map_structure(_as_numpy, next(self._iterator))

    def next(self):
        return self.__next__()

    def save(self) -> bytes:
        """Return where the pass is."""
        return json.dumps(self._iterator._checkpoint_state().tolist()).encode()

    def restore(self, state: bytes) -> None:
        """Continue from a saved position."""
        self._iterator._restore_checkpoint_state(np.array(json.loads(state), np.int64))


def _as_numpy(value):
    if isinstance(value, Tensor):
        array = read_only(value._data)
        return array if array.ndim else array[()]
    return value._numpy() if isinstance(value, SparseTensor) else value


def next_element(iterator: Any) -> Any:
    """Return the next element of an iterator; raise OutOfRangeError at its end."""
    try:
        return next(iterator)
    except StopIteration:
        raise OutOfRangeError("End of sequence [Op:IteratorGetNext]") from None


class Optional:
    """A value that may be missing."""

    def __init__(self, value, spec) -> None:
        self._value, self._spec = value, spec

    @staticmethod
    def from_value(value) -> Optional:
        """Return an optional with a value."""
        from gradtape.api.specs import spec_of

        value = structure.normalize(value)
        return Optional((value,), structure.map_structure(spec_of, value))

    @staticmethod
    def empty(element_spec) -> Optional:
        """Return an optional without a value."""
        return Optional(None, element_spec)

    def has_value(self, name=None) -> Tensor:
        """Return whether there is a value."""
        return Tensor(np.bool_(self._value is not None))

    def get_value(self, name=None):
        """Return the value; raise an error if there is none."""
        if self._value is None:
            raise InvalidArgumentError("The given optional does not have a value.")
        return self._value[0]

    @property
    def element_spec(self):
        """Return the structure of the element."""
        return self._spec

    @property
    def _type_spec(self) -> OptionalSpec:
        return OptionalSpec(self._spec)

    def __repr__(self) -> str:
        return f"<tf.experimental.Optional element_spec={self._spec}>"
