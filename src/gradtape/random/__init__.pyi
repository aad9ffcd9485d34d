# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.random.candidate_sampling import Candidates
from gradtape.api.random.generator import Algorithm as Algorithm
from gradtape.api.random.generator import Generator as Generator
from gradtape.core.tensor import Tensor
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from gradtape.nn import all_candidate_sampler as all_candidate_sampler
from gradtape.nn import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from gradtape.nn import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from gradtape.random import experimental as experimental
from typing import Any

def categorical(
    logits: TensorLike,
    num_samples: IntLike,
    dtype: DTypeLike | None = None,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return, for each row of logits, classes drawn with probabilities softmax(logits)."""

def create_rng_state(seed: Any, alg: Any) -> Tensor:
    """Return the state of a generator with this seed, an integer of any size or a list of them."""

def fold_in(seed: Any, data: TensorLike, alg: str = 'auto_select') -> Tensor:
    """Return a new seed from one and an integer (a step number, say)."""

def gamma(
    shape: ShapeLike,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: DTypeLike = ...,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return gamma numbers, [*shape, *alpha]; differentiable by the shape alpha and the rate beta.

    The derivative by alpha is that of the quantile function at a fixed probability.
    """

def get_global_generator() -> Generator:
    """Return the generator of the whole process: not reproducible, unless `set_global_generator`
    was.
    """

def log_uniform_candidate_sampler(
    true_classes: TensorLike,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
    seed: Any = None,
    name: str | None = None,
) -> Candidates:
    """Return classes below range_max, sorted by frequency: as words are in a language (Zipf's
    law).
    """

def normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = ...,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return normal numbers; differentiable by mean and stddev."""

def poisson(
    shape: ShapeLike,
    lam: TensorLike,
    dtype: DTypeLike = ...,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return numbers of events at mean rates `lam`, [*shape, *lam]."""

def set_global_generator(generator: Any) -> None:
    """Replace the generator of the whole process."""

def set_seed(seed: Any) -> None:
    """Set the global seed: from here on, stateful random functions give the same numbers again.

    None makes them irreproducible, as they are at first.
    """

def shuffle(value: TensorLike, seed: Any = None, name: str | None = None) -> Tensor:
    """Return the rows of a tensor in random order."""

def split(seed: Any, num: IntLike = 2, alg: str = 'auto_select') -> Tensor:
    """Return `num` new seeds from one, as the rows of a tensor [num, 2]."""

def stateless_binomial(
    shape: ShapeLike,
    seed: Any,
    counts: TensorLike,
    probs: TensorLike,
    output_dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return numbers of successes among `counts` trials, that a seed decides; `shape` is the whole
    one.
    """

def stateless_categorical(
    logits: TensorLike,
    num_samples: IntLike,
    seed: Any,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return classes drawn with probabilities softmax(logits), as a seed decides."""

def stateless_gamma(
    shape: ShapeLike,
    seed: Any,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return gamma numbers that a seed decides; `shape` is the whole shape, ending with alpha's."""

def stateless_normal(
    shape: ShapeLike,
    seed: Any,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = ...,
    name: str | None = None,
    alg: str = 'auto_select',
) -> Tensor:
    """Return normal numbers that a seed of two integers decides."""

def stateless_parameterized_truncated_normal(
    shape: ShapeLike,
    seed: Any,
    means: TensorLike = 0.0,
    stddevs: TensorLike = 1.0,
    minvals: TensorLike = -2.0,
    maxvals: TensorLike = 2.0,
    name: str | None = None,
) -> Tensor:
    """Return normal numbers between bounds, that a seed decides; differentiable by all four
    parameters.
    """

def stateless_poisson(
    shape: ShapeLike,
    seed: Any,
    lam: TensorLike,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return numbers of events at mean rates `lam`, that a seed decides; `shape` ends with
    lam's.
    """

def stateless_truncated_normal(
    shape: ShapeLike,
    seed: Any,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = ...,
    name: str | None = None,
    alg: str = 'auto_select',
) -> Tensor:
    """Return normal numbers within two standard deviations, that a seed of two integers decides."""

def stateless_uniform(
    shape: ShapeLike,
    seed: Any,
    minval: TensorLike | None = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = ...,
    name: str | None = None,
    alg: str = 'auto_select',
) -> Tensor:
    """Return numbers from minval to below maxval, that a seed of two integers decides.

    Integers have all their bits random where both bounds are None.
    """

def truncated_normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = ...,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return normal numbers within two standard deviations of their mean."""

def uniform(
    shape: ShapeLike,
    minval: TensorLike = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = ...,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return numbers from minval to below maxval (1 for floats); floats are differentiable by
    both.
    """

def uniform_candidate_sampler(
    true_classes: TensorLike,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
    seed: Any = None,
    name: str | None = None,
) -> Candidates:
    """Return classes below range_max, all with the same probability."""
