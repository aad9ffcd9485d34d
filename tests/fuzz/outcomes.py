"""What a call gives: nothing worth a word, an exception that is documented, or a finding."""

from __future__ import annotations

import re
from pathlib import Path

from tests.fuzz.values import ENORMOUS

ROOT = Path(__file__).resolve().parents[2]

# What TensorFlow raises, too, of other kinds.
AS_TENSORFLOW = re.compile(
    r"RuntimeError: (tf.(gradients|hessians) is not supported when eager|Variable .= value not)|"
    r"AttributeError: (image |)dtype must be either floating point or integer|"
    r"OSError: SavedModel file does not exist at"
)
# A loop runs as often as its condition and body say, in TensorFlow too: it is not waited for long.
AS_OFTEN_AS_TOLD = re.compile(r"near\.call\('while_loop', \d+, (0|1|'cond'|'body'), ")
A_LOOP = 5.0  # seconds


class Endless(BaseException):
    """The time of a call is up."""


def aftermath() -> str:
    """ "" if ordinary calls still work, else what is wrong now."""
    import gradtape as tf
    from gradtape.core.state import get_state

    state = get_state()
    if state.tapes or state.accumulators or state.depth or state.trace:
        return "leaves a state: a tape, an accumulator, a vmap or a trace goes on"
    try:
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.tanh(x * [0.0, 0.0]) + tf.constant([[3], [4]], tf.float32))
        result = [y.numpy(), *tape.gradient(y, x).numpy(), *tf.data.Dataset.range(1)]
    except Exception as error:
        return f"leaves others unable to work: {type(error).__name__}: {text_of(error)}"
    return "" if result == [14.0, 0.0, 0.0, 0] else f"changes what others compute: {result}"


def outcome(expression: str, seconds: float = 120.0) -> str:
    """ "" if the call worked, "raised ..." for what is documented, and other words for the rest."""
    import contextlib
    import io
    import signal
    import traceback
    import warnings

    import numpy as np

    import gradtape as tf
    from tests.fuzz.odd import OddError
    from tests.racing import those_not_passed_on

    documented = (ValueError, TypeError, NotImplementedError, tf.errors.OpError)
    own = (OddError, np.ma.MAError)  # what the argument itself raises
    if "deep(3000)" in expression or "itself()" in expression:
        own += (RecursionError,)  # where it is a structure, as tf.nest takes them, or printed

    def stop(*_) -> None:
        raise Endless

    is_loop = AS_OFTEN_AS_TOLD.match(expression) is not None
    seconds = min(seconds, A_LOOP) if is_loop else seconds
    signal.signal(signal.SIGPROF, stop)  # the time that it computes: others may use the machine
    # Again after a second: Python ignores an error that is raised in a finalizer or in a callback
    # of the garbage collector.
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        with (
            those_not_passed_on(Endless),
            contextlib.redirect_stdout(io.StringIO()),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            execute(expression)
        return ""
    except Endless:
        if is_loop:
            return "raised nothing: a loop that goes on"
        return f"takes more than {seconds:g} s:\n{traceback.format_exc(limit=-4)}"
    except BaseException as error:
        memory = isinstance(error, MemoryError | tf.errors.ResourceExhaustedError)
        if memory and not ENORMOUS.search(expression):
            return f"asks for memory that the arguments do not imply: {text_of(error)}"
        internal = isinstance(error, tf.errors.InternalError | tf.errors.UnknownError)
        as_tensorflow = AS_TENSORFLOW.match(f"{type(error).__name__}: {error}")
        if (isinstance(error, documented) and not internal) or memory or as_tensorflow:
            return f"raised {type(error).__name__}"
        if isinstance(error, own) or is_raised_by_an_argument(error):
            return f"raised {type(error).__name__}"
        trace = "".join(traceback.format_exception(error, limit=-4))
        return f"{place_of(error)} {type(error).__name__}: {text_of(error)}\n{trace[-1500:]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def text_of(error: BaseException) -> str:
    return str(error)[:300].replace("\n", " ")


def is_raised_by_an_argument(error: BaseException) -> bool:
    """Whether a function raised the error that the call, or a case of tests/tf_parity, gives."""
    import traceback

    frame_of_error = traceback.extract_tb(error.__traceback__)[-1]
    is_of_call = (frame_of_error.filename, frame_of_error.name) == ("<string>", "<lambda>")
    return is_of_call or Path(frame_of_error.filename).is_relative_to(
        ROOT / "tests" / "tf_parity" / "cases"
    )


def place_of(error: BaseException) -> str:
    """The innermost line of gradtape that an error came through, or the innermost of all."""
    import traceback

    import gradtape

    frames = traceback.extract_tb(error.__traceback__)
    package = Path(gradtape.__file__).parent
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(package)]
    frame_of_error = (own or frames)[-1]
    return f"{'/'.join(Path(frame_of_error.filename).parts[-2:])}:{frame_of_error.lineno}"


def evaluate(expression: str, **names):
    """The value of an expression in which np is NumPy, tf is gradtape, and names are others."""
    import datetime
    import decimal
    import fractions

    import numpy as np

    import gradtape as tf
    from tests.fuzz import near, odd

    modules = (datetime, decimal, fractions, near, odd)
    result = {module.__name__.rpartition(".")[2]: module for module in modules}
    return eval(expression, {"np": np, "tf": tf, **result, **names})


def execute(expression: str) -> None:
    """Evaluate a call, compute what it gives, and differentiate it if so asked."""
    import itertools

    import gradtape as tf

    expression, is_differentiated = (
        (expression.removeprefix("gradient: "), True)
        if expression.startswith("gradient: ")
        else (expression, False)
    )
    if not is_differentiated:
        made = evaluate(expression)
        if isinstance(made, tf.data.Dataset):
            made = list(itertools.islice(made, 3))
        for leaf in tf.nest.flatten(made):
            if isinstance(leaf, tf.Tensor | tf.Variable):
                leaf.numpy()
            str(leaf)
        return
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        # Arrays in the expression depend on x, as far as their type allows.
        made = evaluate_watched(expression, x)
        results = [
            leaf
            for leaf in tf.nest.flatten(made)
            if isinstance(leaf, tf.Tensor) and (leaf.dtype.is_floating or leaf.dtype.is_complex)
        ]
    gradient = tape.gradient(results, x)
    if gradient is not None:
        tf.convert_to_tensor(gradient).numpy()


def evaluate_watched(expression: str, x):
    """The value of an expression whose arrays of np.ones depend on x."""
    import numpy as np

    import gradtape as tf

    total = tf.reduce_sum(x) * 0.1

    class Watched:
        """NumPy, whose ones are tensors that the tape follows."""

        def __getattr__(self, name):
            return getattr(np, name)

        @staticmethod
        def ones(shape, dtype=np.float64):
            made = np.ones(shape, dtype)
            is_followed = made.dtype in (np.float32, np.float64, np.float16)
            return tf.cast(total, made.dtype) * made if is_followed else made

    return evaluate(expression, np=Watched())
