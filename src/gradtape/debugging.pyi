# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape import Assert as Assert
from gradtape.core.dtypes import DType
from gradtape.core.tensor import Tensor
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import TensorLike
from typing import Any

def assert_all_finite(x: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Return the tensor; an InvalidArgumentError if it holds infinities or NaNs.

    Args:
        x: a tensor, or what converts to one.
        message: text that the error begins with.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def assert_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise an InvalidArgumentError unless x == y everywhere.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        message: text that the error begins with.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if elements differ.

    Example:
        >>> tf.debugging.assert_equal(tf.constant([1, 2]), [1, 2])
    """

def assert_greater(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise an InvalidArgumentError unless x > y everywhere.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        message: text that the error begins with.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, the dtypes
            of `x` and `y` differ, the shape of `x` does not fit, or the shapes of `x` and `y` do
            not fit together.
    """

def assert_greater_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise an InvalidArgumentError unless x >= y everywhere.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        message: text that the error begins with.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, the dtypes
            of `x` and `y` differ, the shape of `x` does not fit, or the shapes of `x` and `y` do
            not fit together.
    """

def assert_integer(x: TensorLike, message: str | None = None, name: str | None = None) -> None:
    """Raise a TypeError unless x has an integer dtype.

    Args:
        x: a tensor, or what converts to one.
        message: text that the error begins with.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        TypeError if `x` has a dtype that it does not take.
    """

def assert_less(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise an InvalidArgumentError unless x < y everywhere.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        message: text that the error begins with.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, the dtypes
            of `x` and `y` differ, the shape of `y` does not fit, or the shapes of `x` and `y` do
            not fit together.
    """

def assert_less_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise an InvalidArgumentError unless x <= y everywhere.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        message: text that the error begins with.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, the dtypes
            of `x` and `y` differ, the shape of `y` does not fit, or the shapes of `x` and `y` do
            not fit together.
    """

def assert_near(
    x: TensorLike,
    y: TensorLike,
    rtol: Any = None,
    atol: Any = None,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise an InvalidArgumentError unless |x - y| <= atol + rtol |y| everywhere.

    The tolerances are 10 epsilon of the dtype of x, unless given.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        rtol: the relative difference that is allowed.
        atol: the absolute difference that is allowed.
        message: text that the error begins with.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, the dtypes
            of `x` and `y` differ, the shape of `x` or `y` does not fit, or the shapes of `x` and
            `y` do not fit together.
    """

def assert_negative(
    x: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise an InvalidArgumentError unless x < 0 everywhere.

    Args:
        x: a tensor, or what converts to one.
        message: text that the error begins with.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take, or the shape of `x`
            does not fit.
    """

def assert_non_negative(
    x: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise an InvalidArgumentError unless x >= 0 everywhere.

    Args:
        x: a tensor, or what converts to one.
        message: text that the error begins with.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.
    """

def assert_non_positive(
    x: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise an InvalidArgumentError unless x <= 0 everywhere.

    Args:
        x: a tensor, or what converts to one.
        message: text that the error begins with.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take.
    """

def assert_none_equal(
    x: TensorLike,
    y: TensorLike,
    summarize: Any = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise an InvalidArgumentError unless x != y everywhere.

    Args:
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        summarize: how many elements of each tensor an error shows.
        message: text that the error begins with.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if `x` or `y` has a dtype that it does not take, the dtypes
            of `x` and `y` differ, or the shapes of `x` and `y` do not fit together.
    """

def assert_positive(
    x: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise an InvalidArgumentError unless x > 0 everywhere.

    Args:
        x: a tensor, or what converts to one.
        message: text that the error begins with.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take, or the shape of `x`
            does not fit.
    """

def assert_proper_iterable(values: Any) -> None:
    """Raise a TypeError unless `values` is iterable, and no tensor, array or string.

    Args:
        values: a list of tensors, or one tensor.

    Returns:
        Nothing.

    Raises:
        TypeError if it cannot be iterated over, or is a tensor or a text.
    """

def assert_rank(
    x: TensorLike,
    rank: Any,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise a ValueError unless x has this rank.

    Args:
        x: a tensor, or what converts to one.
        rank: the number of axes.
        message: text that the error begins with.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        ValueError if the shape of `x` does not fit.
    """

def assert_rank_at_least(
    x: TensorLike,
    rank: Any,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise a ValueError unless x has at least this rank.

    Args:
        x: a tensor, or what converts to one.
        rank: the number of axes.
        message: text that the error begins with.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        ValueError if the shape of `x` does not fit.
    """

def assert_rank_in(
    x: TensorLike,
    ranks: Any,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise a ValueError unless x has one of these ranks.

    Args:
        x: a tensor, or what converts to one.
        ranks: the numbers of axes that are allowed.
        message: text that the error begins with.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        ValueError if the shape of `x` does not fit.
    """

def assert_same_float_dtype(tensors: Any = None, dtype: DTypeLike | None = None) -> DType:
    """Return the one floating dtype of all tensors (float32 if there is nothing); else a
    ValueError.

    Args:
        tensors: tensors, or operations.
        dtype: the dtype of the result.

    Raises:
        ValueError if a dtype is not the one given.
    """

def assert_scalar(
    tensor: TensorLike,
    message: str | None = None,
    name: str | None = None,
) -> Tensor | None:
    """Raise a ValueError unless the tensor has rank 0.

    Args:
        tensor: a tensor, or what converts to one.
        message: text that the error begins with.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing, or a tensor in place of what is checked.

    Raises:
        ValueError if `tensor` cannot be converted to a tensor.
    """

def assert_shapes(
    shapes: Any,
    data: TensorLike | None = None,
    summarize: Any = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise a ValueError unless tensors have the shapes given by sizes and symbols.

        tf.debugging.assert_shapes([(x, ("N", "M")), (weights, ("M", 3))])

    Equal symbols stand for equal sizes, None and "." for any; a shape that begins with `...` or
    "*" says something of the last axes only.

    Args:
        shapes: pairs of a tensor and its shape; letters in shapes stand for sizes that must agree.
        data: a tensor, or what converts to one.
        summarize: how many elements of each tensor an error shows.
        message: text that the error begins with.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        ValueError if a shape is not the one given.
    """

def assert_type(
    tensor: TensorLike,
    tf_type: Any,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise a TypeError unless the tensor has this dtype.

    Args:
        tensor: a tensor, or what converts to one.
        tf_type: the dtype that it must have.
        message: text that the error begins with.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        TypeError if `tensor` has a dtype that it does not take.
    """

def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Return the tensor; an InvalidArgumentError if it holds infinities or NaNs.

    Args:
        tensor: a tensor, or what converts to one.
        message: text that the error begins with.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if an element is infinite or nan.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.debugging.check_numerics(tf.constant([1.0, 2.0]), "loss").numpy()
        array([1., 2.], dtype=float32)
    """

def disable_check_numerics() -> None:
    """Stop checking results.

    Returns:
        Nothing.
    """

def disable_traceback_filtering() -> None:
    """Show gradtape's own frames in tracebacks, and the errors that it replaced by clearer ones.

    Returns:
        Nothing.
    """

def enable_check_numerics(
    stack_height_limit: IntLike = 30,
    path_length_limit: IntLike = 50,
) -> None:
    """Make ops raise an explained error, from now on, if their results hold an inf or nan.

    It holds for the calling thread, until `disable_check_numerics`. The limits, which shorten
    what TensorFlow shows of the stack, have no use here: the error names the line.

    Args:
        stack_height_limit: has no effect; there for compatibility.
        path_length_limit: has no effect; there for compatibility.

    Returns:
        Nothing.
    """

def enable_traceback_filtering() -> None:
    """Let tracebacks end in the program's own line, without gradtape's frames: the default.

    Returns:
        Nothing.
    """

def get_log_device_placement() -> bool:
    """Return the value that was set last."""

def is_numeric_tensor(tensor: TensorLike) -> bool:
    """Return whether it is a tensor of numbers.

    Args:
        tensor: a tensor, or what converts to one.
    """

def is_traceback_filtering_enabled() -> bool:
    """Return whether gradtape's frames are left out of tracebacks."""

def set_log_device_placement(enabled: bool) -> None:
    """Do nothing: there is one device.

    Args:
        enabled: whether it is on.

    Returns:
        Nothing.
    """
