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
    """Return, for each row of logits, classes drawn with probabilities softmax(logits).

    Args:
        logits: scores, before softmax or sigmoid.
        num_samples: how many to draw for each row.
        dtype: the dtype of the result.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `num_samples` is negative.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.random.categorical([[0.0, -1e9]], 3).numpy()
        array([[0, 0, 0]])
    """

def create_rng_state(seed: Any, alg: Any) -> Tensor:
    """Return the state of a generator with this seed, an integer of any size or a list of them.

    Args:
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        alg: which generator: "philox", "threefry" or "auto_select".

    Raises:
        ValueError if `alg` is not a known one.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def fold_in(seed: Any, data: TensorLike, alg: str = 'auto_select') -> Tensor:
    """Return a new seed from one and an integer (a step number, say).

    Args:
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        data: a tensor, or what converts to one.
        alg: which generator: "philox", "threefry" or "auto_select".

    Raises:
        ValueError if `alg` is not a known one.

    Derivative: none; the result consists of integers, truth values or strings.
    """

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

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        alpha: the shape of the distribution.
        beta: the inverse scale of the distribution.
        dtype: the dtype of the result.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `shape` has a negative size.

    Example:
        >>> tf.random.gamma([2], alpha=1.0).shape
        TensorShape([2])
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

    Args:
        true_classes: the right classes of each example.
        num_true: how many right classes each example has.
        num_sampled: how many classes are drawn.
        unique: whether each class is drawn once at most.
        range_max: the number of classes.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `true_classes` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `true_classes` does not fit.
    """

def normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = ...,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return normal numbers; differentiable by mean and stddev.

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        mean: the mean.
        stddev: the standard deviation.
        dtype: the dtype of the result.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `shape` has a negative size.

    Example:
        >>> tf.random.normal((2, 3), stddev=0.1).shape
        TensorShape([2, 3])
    """

def poisson(
    shape: ShapeLike,
    lam: TensorLike,
    dtype: DTypeLike = ...,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return numbers of events at mean rates `lam`, [*shape, *lam].

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        lam: the rate of the distribution.
        dtype: the dtype of the result.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `shape` has a negative size.
    """

def set_global_generator(generator: Any) -> None:
    """Replace the generator of the whole process.

    Args:
        generator: a `tf.random.Generator`.

    Returns:
        Nothing.

    Raises:
        TypeError if it is no tf.random.Generator.
    """

def set_seed(seed: Any) -> None:
    """Set the global seed: from here on, stateful random functions give the same numbers again.

    None makes them irreproducible, as they are at first.

    Args:
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.

    Returns:
        Nothing.

    Raises:
        TypeError if `seed` has a type that it does not take.

    Example:
        >>> tf.random.set_seed(1)
        >>> a = tf.random.normal([2])
        >>> tf.random.set_seed(1)
        >>> bool(tf.reduce_all(a == tf.random.normal([2])))
        True
    """

def shuffle(value: TensorLike, seed: Any = None, name: str | None = None) -> Tensor:
    """Return the rows of a tensor in random order.

    Args:
        value: a tensor, or what converts to one.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `value` cannot be converted to a tensor.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> sorted(tf.random.shuffle(tf.range(4)).numpy().tolist())
        [0, 1, 2, 3]
    """

def split(seed: Any, num: IntLike = 2, alg: str = 'auto_select') -> Tensor:
    """Return `num` new seeds from one, as the rows of a tensor [num, 2].

    Args:
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        num: how many numbers; for unstack and split, how many parts.
        alg: which generator: "philox", "threefry" or "auto_select".

    Raises:
        ValueError if `alg` is not a known one.
        tf.errors.InvalidArgumentError if `num` is negative.

    Derivative: none; the result consists of integers, truth values or strings.
    """

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

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        counts: how many elements there were.
        probs: the probabilities.
        output_dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `shape` has a negative size.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def stateless_categorical(
    logits: TensorLike,
    num_samples: IntLike,
    seed: Any,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return classes drawn with probabilities softmax(logits), as a seed decides.

    Args:
        logits: scores, before softmax or sigmoid.
        num_samples: how many to draw for each row.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `logits` has a dtype that it does not take, the shape of
            `logits` does not fit, or `num_samples` is negative.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def stateless_gamma(
    shape: ShapeLike,
    seed: Any,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return gamma numbers that a seed decides; `shape` is the whole shape, ending with alpha's.

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        alpha: the shape of the distribution.
        beta: the inverse scale of the distribution.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `alpha` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if `shape` has a negative size.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched one example after another.
    """

def stateless_normal(
    shape: ShapeLike,
    seed: Any,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = ...,
    name: str | None = None,
    alg: str = 'auto_select',
) -> Tensor:
    """Return normal numbers that a seed of two integers decides.

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        seed: two integers, which determine the numbers.
        mean: the mean.
        stddev: the standard deviation.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.
        alg: which generator: "philox", "threefry" or "auto_select".

    Raises:
        ValueError if `alg` is not a known one.
        tf.errors.InvalidArgumentError if `shape` has a negative size.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> a, b = (tf.random.stateless_normal([2], seed=[1, 2]) for _ in range(2))
        >>> bool(tf.reduce_all(a == b))
        True
    """

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

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        means: the means.
        stddevs: the standard deviations.
        minvals: the lower bounds.
        maxvals: the upper bounds.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `shape` has a negative size.
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

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        lam: the rate of the distribution.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `shape` has a negative size.
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
    """Return normal numbers within two standard deviations, that a seed of two integers decides.

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        mean: the mean.
        stddev: the standard deviation.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.
        alg: which generator: "philox", "threefry" or "auto_select".

    Raises:
        ValueError if `alg` is not a known one.
        tf.errors.InvalidArgumentError if `shape` has a negative size.
    """

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

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        minval: the lower bound, which is included.
        maxval: the upper bound, which is not included.
        dtype: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.
        alg: which generator: "philox", "threefry" or "auto_select".

    Raises:
        ValueError if `alg` is not a known one.
        tf.errors.InvalidArgumentError if `shape` has a negative size.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.random.stateless_uniform([2], seed=[1, 2]).shape
        TensorShape([2])
    """

def truncated_normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = ...,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return normal numbers within two standard deviations of their mean.

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        mean: the mean.
        stddev: the standard deviation.
        dtype: the dtype of the result.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `shape` has a negative size.

    Example:
        >>> bool(tf.reduce_all(tf.abs(tf.random.truncated_normal([100])) <= 2.0))
        True
    """

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

    Args:
        shape: the shape of the result: a list of sizes, or a tensor of them.
        minval: the lower bound, which is included.
        maxval: the upper bound, which is not included; 1 for floats if None.
        dtype: the dtype of the result.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the dtype is an integer and maxval is None.

    Example:
        >>> int(tf.random.uniform((), minval=3, maxval=4, dtype=tf.int32))
        3
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
    """Return classes below range_max, all with the same probability.

    Args:
        true_classes: the right classes of each example.
        num_true: how many right classes each example has.
        num_sampled: how many classes are drawn.
        unique: whether each class is drawn once at most.
        range_max: the number of classes.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `true_classes` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `true_classes` does not fit.
    """
