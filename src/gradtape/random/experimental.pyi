# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.random.generator import Algorithm as Algorithm
from gradtape.api.random.generator import Generator as Generator
from gradtape.core.tensor import Tensor
from gradtape.core.typing import TensorLike
from gradtape.random import create_rng_state as create_rng_state
from gradtape.random import fold_in as _fold_in
from gradtape.random import get_global_generator as get_global_generator
from gradtape.random import set_global_generator as set_global_generator
from gradtape.random import split as _split
from typing import Any

def index_shuffle(index: Any, seed: Any, max_index: Any) -> Tensor:
    """Return where a permutation of 0 … max_index, given by a seed of two integers, sends an
    index.

    Args:
        index: which one.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        max_index: the last index.

    Raises:
        tf.errors.InvalidArgumentError if `index` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def stateless_shuffle(
    value: TensorLike,
    seed: Any,
    alg: str = 'auto_select',
    name: str | None = None,
) -> Tensor:
    """Return the rows of a tensor in an order that a seed decides.

    Args:
        value: a tensor, or what converts to one.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        alg: which generator: "philox", "threefry" or "auto_select".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `alg` is not a known one.

    Derivative: none; the result consists of integers, truth values or strings.
    """

stateless_fold_in = _fold_in
stateless_split = _split
