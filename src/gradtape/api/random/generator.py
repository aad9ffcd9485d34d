"""`tf.random.Generator`, and how the arguments of all random functions are read."""

from __future__ import annotations

import enum
import math
import secrets
import threading

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core import dtypes
from gradtape.core.brief import brief
from gradtape.core.convert import is_tensor_like, static_int, static_value, to_tensor
from gradtape.core.dtypes import as_dtype
from gradtape.core.errors import DTypeError, InvalidArgumentError, ShapeError, UnimplementedError
from gradtape.core.sequences import TEXT
from gradtape.core.size import is_open
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable
from gradtape.ops.families import broadcast_shapes
from gradtape.prng import seeds

# --- arguments -----------------------------------------------------------------------------------

FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)
INTEGERS = (dtypes.int32, dtypes.int64)
WORDS = (*INTEGERS, dtypes.uint32, dtypes.uint64)


def shape_argument(op: str, shape) -> tuple[int, ...]:
    """Return the shape asked for, as a tuple of ints."""
    if shape is None:
        raise ValueError(f"{op}: Attempt to convert a value (None) for `shape` to a Tensor.")
    sizes = static_value(tuple(shape) if isinstance(shape, (list, tuple)) else shape)
    if isinstance(sizes, list) and is_open(sizes):
        return ops.static_shape(sizes, op)
    value = np.asarray(sizes)
    if value.ndim != 1:
        raise ShapeError(
            f"{op}: shape must be a vector of integers, got {shape!r} of shape "
            f"{list(value.shape)}. [Op:{op}]"
        )
    if (value.dtype.kind not in "iu" and value.size) or isinstance(shape, TEXT):
        raise DTypeError(f"{op}: shape must be a vector of integers, got {shape!r}. [Op:{op}]")
    for n in value:
        if n < 0:
            raise ShapeError(f"{op}: Dimension {n} must be >= 0: shape is {shape!r}. [Op:{op}]")
    return tuple([int(n) for n in value])


def check_dtype(op: str, dtype, allowed) -> np.dtype:
    """Return the NumPy dtype of an argument `dtype` that an op knows."""
    dtype = as_dtype(dtype)
    if dtype not in allowed:
        raise DTypeError(
            f"{op}: dtype must be one of {', '.join(d.name for d in allowed)}, got {dtype.name}. "
            f"[Op:{op}]"
        )
    return dtype.dtype


def integer_bounds(op: str, minval, maxval, dtype):
    """Return the bounds of random integers as two scalars."""
    bounds = to_tensor(minval, dtype), to_tensor(maxval, dtype)
    for name, bound in zip(("minval", "maxval"), bounds, strict=True):
        if bound.ndim:
            raise ShapeError(f"{op}: {name} must be 0-D, got shape {bound.shape}. [Op:{op}]")
    return bounds


def check_range(dtype, minval, maxval) -> None:
    """Raise unless random integers have both bounds, or neither."""
    if (minval is None) != (maxval is None):
        raise ValueError(
            f"For integer dtype {dtype!r}, minval and maxval must be both None or not None. Got "
            f"minval={minval} and maxval={maxval}."
        )


def scale_and_shift(numbers, mean, stddev):
    """Return numbers * stddev + mean, without a pass over them for the plain 0.0 and 1.0."""
    if not (type(stddev) is float and stddev == 1.0):
        numbers = numbers * to_tensor(stddev, numbers.dtype)
    if not (type(mean) is float and mean == 0.0):
        numbers = numbers + to_tensor(mean, numbers.dtype)
    return numbers


def check_normal(op: str, mean, stddev, dtype) -> np.dtype:
    """Return the NumPy dtype of normal numbers, after a look at their parameters."""
    dtype = as_dtype(dtype)
    for parameter in (mean, stddev):
        to_tensor(parameter, dtype)  # raises what is wrong with it
    return check_dtype(op, dtype, FLOATS)


def samples_of(op: str, shape: tuple[int, ...], parameter_shape) -> int:
    """Return how many samples of each parameter a full shape asks for."""
    parameter_shape = tuple(parameter_shape)
    lead = len(shape) - len(parameter_shape)
    if lead < 0 or shape[lead:] != parameter_shape:
        raise ShapeError(
            f"{op}: Shape passed in must end with broadcasted shape: {list(shape)} does not end "
            f"with the shape of the parameters, {list(parameter_shape)}. [Op:{op}]"
        )
    return math.prod(shape[:lead])


def binomial_parameters(op: str, counts, probs):
    """Return both as tensors of one floating dtype, and the shape they broadcast to."""
    for name, value in (("counts", counts), ("probs", probs)):
        if value.dtype not in (dtypes.float16, dtypes.float32, dtypes.float64):
            raise DTypeError(
                f"{op}: {name} must be float16, float32 or float64, got a tensor of dtype "
                f"{value.dtype.name} and shape {value.shape}. Convert it with tf.cast. [Op:{op}]"
            )
    ops.operands(op, counts, probs)
    return broadcast_shapes(op, tuple(counts.shape), tuple(probs.shape))


COUNTS = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)


# --- algorithms ----------------------------------------------------------------------------------


@export("random.Algorithm", "random.experimental.Algorithm")
class Algorithm(enum.Enum):
    """The random-number algorithms: Philox, which AUTO_SELECT means here, and ThreeFry."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


_STATE_SIZE = {
    Algorithm.PHILOX.value: 3,
    Algorithm.THREEFRY.value: 2,
    Algorithm.AUTO_SELECT.value: 3,
}


def algorithm_number(alg) -> int:
    """Return the number of an algorithm, given as number, name or member of `Algorithm`."""
    if isinstance(alg, Algorithm):
        return alg.value
    if is_tensor_like(alg):
        alg = int(to_tensor(alg))
    if isinstance(alg, str):
        name = alg.strip().lower().replace("-", "").replace("_", "")
        number = {"philox": 1, "threefry": 2, "autoselect": 3}.get(name)
    elif isinstance(alg, (int, np.integer)):
        number = int(alg) if int(alg) in _STATE_SIZE else None
    else:
        raise TypeError(
            f"Can't convert argument `alg` (of value {alg} and type {type(alg)}) to int."
        )
    if number is None:
        raise ValueError(
            f"Argument `alg` got unsupported value {alg}. Supported values are 'philox' (1) and "
            "'auto_select' (3)."
        )
    return number


def check_stateless_algorithm(alg) -> None:
    if algorithm_number("auto_select" if alg is None else alg) == Algorithm.THREEFRY.value:
        raise InvalidArgumentError(
            "The ThreeFry algorithm is not available here; use alg='philox' or 'auto_select'."
        )


# --- generators ----------------------------------------------------------------------------------


def _state_values(value) -> np.ndarray:
    """Return integers of any size (and what tensors hold) as int64, wrapped around."""
    value = static_value(value)
    if value is None or isinstance(value, (str, bytes)):
        raise ValueError(f"A generator's state and seed are integers, got {value!r}.")
    array = np.asarray(value, object)
    numbers = [static_int(each, "a generator's state or seed") for each in array.reshape(-1)]
    wrapped = [number & 0xFFFFFFFFFFFFFFFF for number in numbers]
    return np.array(wrapped, np.uint64).view(np.int64).reshape(array.shape)


def _check_size(what: str, values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    if values.shape != shape:
        raise ShapeError(
            f"Shapes {values.shape} and {list(shape)} are incompatible: a generator's {what} has "
            f"shape {list(shape)}."
        )
    return values


@export("random.create_rng_state", "random.experimental.create_rng_state")
def create_rng_state(seed, alg) -> Tensor:
    """Return the state of a generator with this seed, an integer of any size or a list of them."""
    size = _STATE_SIZE[algorithm_number(alg)]
    if isinstance(seed, int):
        pieces = [seed >> (64 * i) for i in range(size)]
        return Tensor(_state_values(pieces))
    values = _state_values(seed).reshape(-1)[:size]
    return Tensor(np.concatenate([np.zeros(size - values.size, np.int64), values]))


@export("random.Generator", "random.experimental.Generator")
class Generator:
    """A source of random numbers with a state of its own, which moves on with every draw.

    Make one with `from_seed`, `from_state`, `from_key_counter` or `from_non_deterministic_state`.
    Draws may be made from several threads. Inside a vmap a draw is the same for all examples.
    """

    def __init__(self, copy_from=None, state=None, alg=None) -> None:
        if (copy_from is None) == (state is None or alg is None):
            raise AssertionError(
                "A Generator is made from another one (copy_from), or from both state and alg; "
                "Generator.from_seed(seed) is the usual way."
            )
        if copy_from is not None:
            state, alg = copy_from.state, copy_from.algorithm
        self._alg = algorithm_number(alg)
        self._lock = threading.Lock()
        if isinstance(state, Variable) and copy_from is None:
            _check_size("state", state._data, self._size)
            self._state = state
        else:
            values = _check_size("state", _state_values(state), self._size)
            self._state = Variable(Tensor(values), trainable=False, name="StateVar")

    def __reduce__(self):
        return Generator.from_state, (self._state.numpy().tolist(), self._alg)

    @property
    def _size(self) -> tuple[int, ...]:
        return (_STATE_SIZE[self._alg],)

    @classmethod
    def from_seed(cls, seed, alg=None) -> Generator:
        """Return a generator whose state is filled from a seed: an integer or a list of
        integers."""
        alg = algorithm_number("philox" if alg is None else alg)
        return cls(state=create_rng_state(seed, alg), alg=alg)

    @classmethod
    def from_state(cls, state, alg) -> Generator:
        """Return a generator in a given state; a variable is taken as the state itself."""
        return cls(state=state, alg=alg)

    @classmethod
    def from_key_counter(cls, key, counter, alg) -> Generator:
        """Return a generator with a given key and counter."""
        alg = algorithm_number(alg)
        return cls(state=_key_counter_state(key, counter, _STATE_SIZE[alg]), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg=None) -> Generator:
        """Return a generator that gives other numbers every time the program runs."""
        alg = algorithm_number("philox" if alg is None else alg)
        return cls(state=[secrets.randbits(64) for _ in range(_STATE_SIZE[alg])], alg=alg)

    @property
    def state(self) -> Variable:
        """The state: both halves of the counter, then the key."""
        return self._state

    @property
    def algorithm(self) -> int:
        """The number of the algorithm: 1 is Philox."""
        return self._alg

    @property
    def key(self):
        """The key, the last entry of the state."""
        return ops.to_tensor(self._state)[-1]

    def reset(self, state) -> None:
        """Continue from a state."""
        self._set(_check_size("state", _state_values(state), self._size))

    def reset_from_seed(self, seed) -> None:
        """Continue from a seed."""
        self._set(create_rng_state(seed, self._alg)._data)

    def reset_from_key_counter(self, key, counter) -> None:
        """Continue from a key and a counter."""
        self._set(_key_counter_state(key, counter, *self._size))

    def _set(self, values: np.ndarray) -> None:
        def assign() -> Tensor:
            with self._lock:
                self._state.assign(Tensor(values))
            return Tensor(values)

        trace = get_state().trace
        if trace is None or trace.outer is not None:
            assign()
        else:  # draws are taken before the function runs; so is this, in its turn
            trace.feed(assign, self._state._spec())

    def _draw(self, blocks: int) -> Tensor:
        """Return the current state as data, and advance it by `blocks` blocks."""
        if self._alg == Algorithm.THREEFRY.value:
            raise UnimplementedError(
                "The ThreeFry algorithm is not available here; use alg='philox'."
            )
        if self._state.dtype is not dtypes.int64:
            raise InvalidArgumentError(
                f"dtype of RNG state variable must be int64, not {self._state.dtype.name}"
            )
        trace = get_state().trace
        if trace is None:
            return ops.state_of(seeds.noted(lambda: self._advance(blocks)))

        def now() -> Tensor:
            return ops.state_of(self._advance(blocks))

        return seeds.noted(lambda: trace.feed(now, self._state._spec()))

    def _advance(self, blocks: int) -> seeds.KeyCounter:
        with self._lock:
            now = np.asarray(self._state._data)
            self._state.assign(Tensor(seeds.advance_state(now, blocks)))
        return seeds.state_generator(now)

    def _draw_for(self, shape: tuple[int, ...]) -> Tensor:
        return self._draw(seeds.output_blocks(math.prod(shape)))

    def skip(self, delta) -> Tensor:
        """Move on as a draw of `delta` numbers would; the state before that."""
        return self._draw(seeds.output_blocks(static_int(delta) % 2**64))

    def _numbers(self, kind: str, shape: tuple[int, ...], dtype: np.dtype):
        return ops.random_numbers(self._draw_for(shape), kind, shape, dtype)

    def normal(self, shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
        """Return normal numbers."""
        shape = shape_argument("normal", shape)
        dtype = check_normal("normal", mean, stddev, dtype)
        return scale_and_shift(self._numbers("normal", shape, dtype), mean, stddev)

    def truncated_normal(self, shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
        """Return normal numbers within two standard deviations of their mean."""
        shape = shape_argument("truncated_normal", shape)
        dtype = check_normal("truncated_normal", mean, stddev, dtype)
        return scale_and_shift(self._numbers("truncated_normal", shape, dtype), mean, stddev)

    def uniform(self, shape, minval=0, maxval=None, dtype=dtypes.float32, name=None):
        """Return numbers from minval to below maxval; integers of all bits where both are None."""
        dtype = as_dtype(dtype)
        if dtype.is_integer:
            check_range(dtype, minval, maxval)
            if minval is None:
                return self.uniform_full_int(shape, dtype)
            shape = shape_argument("uniform", shape)
            check_dtype("uniform", dtype, INTEGERS)
            bounds = integer_bounds("uniform", minval, maxval, dtype)
            return ops.random_integers(self._draw_for(shape), *bounds, shape, dtype.dtype)
        shape = shape_argument("uniform", shape)
        low, high = to_tensor(minval, dtype), to_tensor(1 if maxval is None else maxval, dtype)
        numbers = self._numbers("uniform", shape, check_dtype("uniform", dtype, FLOATS))
        return numbers * (high - low) + low

    def uniform_full_int(self, shape, dtype=dtypes.uint64, name=None) -> Tensor:
        """Return integers over the whole range of an integer dtype of 32 or 64 bits."""
        shape = shape_argument("uniform_full_int", shape)
        return self._numbers("integers", shape, check_dtype("uniform_full_int", dtype, WORDS))

    def binomial(self, shape, counts, probs, dtype=dtypes.int32, name=None) -> Tensor:
        """Return numbers of successes among `counts` trials that succeed with probability
        `probs`."""
        op = "binomial"
        counts, probs, shape = to_tensor(counts), to_tensor(probs), shape_argument(op, shape)
        parameters = binomial_parameters(op, counts, probs)
        samples, dtype = samples_of(op, shape, parameters), check_dtype(op, dtype, COUNTS)
        state = self._draw(seeds.binomial_blocks(math.prod(parameters), samples))
        return ops.reshape(ops.random_binomial(state, counts, probs, samples, dtype), shape)

    def make_seeds(self, count=1) -> Tensor:
        """Return seeds for stateless functions, as the columns of a [2, count] tensor."""
        keys = self.uniform_full_int([count], dtypes.int64)
        return ops.stack([keys, ops.zeros_like(keys)])

    def split(self, count=1) -> list[Generator]:
        """Return new generators, independent of each other and of this one."""
        keys = self.uniform_full_int([count], dtypes.int64).numpy()
        blank = [0] * (self._size[0] - 1)
        return [Generator(state=[*blank, int(key)], alg=self._alg) for key in keys]


def _key_counter_state(key, counter, size: int) -> np.ndarray:
    counter = _check_size("counter", _state_values(counter), (size - 1,))
    key = _check_size("key", _state_values(key), ())
    return np.concatenate([counter, key.reshape(1)])


_shared: list[Generator] = []  # the generator of the whole process, once there is one
_shared_lock = threading.Lock()


@export("random.get_global_generator", "random.experimental.get_global_generator")
def get_global_generator() -> Generator:
    """Return the generator of the whole process: not reproducible, unless `set_global_generator`
    was."""
    with _shared_lock:
        if not _shared:
            _shared.append(Generator.from_non_deterministic_state())
        return _shared[0]


@export("random.set_global_generator", "random.experimental.set_global_generator")
def set_global_generator(generator) -> None:
    """Replace the generator of the whole process."""
    if not isinstance(generator, Generator):
        raise TypeError(
            f"set_global_generator: a tf.random.Generator is needed, got {brief(generator)}. "
            "tf.random.Generator.from_seed(1) makes one."
        )
    with _shared_lock:
        _shared[:] = [generator]
