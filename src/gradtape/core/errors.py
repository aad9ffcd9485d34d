"""The exception classes of `tf.errors`, and those for shapes, axes and dtypes that do not fit."""

from __future__ import annotations

from typing import Any

OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND = 0, 1, 2, 3, 4, 5
ALREADY_EXISTS, PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION = 6, 7, 8, 9
ABORTED, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS = 10, 11, 12, 13, 14, 15
UNAUTHENTICATED = 16


class OpError(Exception):
    """Base class of the errors that ops raise; subclasses are TensorFlow's."""

    code = UNKNOWN

    def __init__(
        self,
        node_def: str | None = None,
        op: Any = None,
        message: str = "",
        error_code: int | None = None,
    ):
        # `OpError("text")` is the form used inside gradtape; TensorFlow's takes four arguments.
        if isinstance(node_def, str) and op is None and not message:
            node_def, message = None, node_def
        super().__init__(message)
        self._node_def, self._op, self._message = node_def, op, message
        self._error_code = self.code if error_code is None else error_code

    @property
    def message(self) -> str:
        """Return the text of the error."""
        return self._message

    @property
    def node_def(self) -> Any:
        """Return None, or what the error was made with."""
        return self._node_def

    @property
    def op(self) -> Any:
        """Return None, or what the error was made with."""
        return self._op

    @property
    def error_code(self) -> int:
        """Return TensorFlow's number of the kind of error."""
        return self._error_code

    def __str__(self) -> str:
        return self._message

    def __reduce__(self) -> Any:
        return type(self), (self._node_def, self._op, self._message)


_LONGEST_REASON = 200  # characters


def one_line(error: BaseException) -> str:
    """Return the message of an error, cut to one short line.

    Other libraries may print whole arrays.
    """
    lines = str(error).strip().splitlines() or [type(error).__name__]
    text = lines[0].rstrip()
    if len(text) > _LONGEST_REASON:
        text = text[:_LONGEST_REASON].rstrip()
    elif len(lines) == 1:
        return text
    return f"{text} …"


def _error(name: str, code: int, doc: str) -> type[OpError]:
    return type(name, (OpError,), {"code": code, "__doc__": doc, "__module__": __name__})


CancelledError = _error("CancelledError", CANCELLED, "The operation was cancelled.")
UnknownError = _error("UnknownError", UNKNOWN, "An error with no better class.")
InvalidArgumentError = _error("InvalidArgumentError", INVALID_ARGUMENT, "An argument is wrong.")
DeadlineExceededError = _error("DeadlineExceededError", DEADLINE_EXCEEDED, "Out of time.")
NotFoundError = _error("NotFoundError", NOT_FOUND, "Something asked for does not exist.")
AlreadyExistsError = _error("AlreadyExistsError", ALREADY_EXISTS, "It exists already.")
PermissionDeniedError = _error("PermissionDeniedError", PERMISSION_DENIED, "Not allowed.")
UnauthenticatedError = _error("UnauthenticatedError", UNAUTHENTICATED, "Not identified.")
ResourceExhaustedError = _error("ResourceExhaustedError", RESOURCE_EXHAUSTED, "Out of memory.")
FailedPreconditionError = _error("FailedPreconditionError", FAILED_PRECONDITION, "Not ready.")
AbortedError = _error("AbortedError", ABORTED, "The operation was aborted.")
OutOfRangeError = _error("OutOfRangeError", OUT_OF_RANGE, "Beyond the end of the input.")
UnimplementedError = _error("UnimplementedError", UNIMPLEMENTED, "Not available here.")
InternalError = _error("InternalError", INTERNAL, "A mistake inside gradtape.")
UnavailableError = _error("UnavailableError", UNAVAILABLE, "Cannot be reached now.")
DataLossError = _error("DataLossError", DATA_LOSS, "Data is damaged or incomplete.")


class ShapeError(InvalidArgumentError, ValueError):
    """Shapes, axes or sizes do not match; also a `ValueError`, as NumPy users expect."""


class AxisError(ShapeError, IndexError):
    """An axis is out of range; also an `IndexError`."""


class DTypeError(InvalidArgumentError, TypeError):
    """Dtypes do not match; also a `TypeError`."""


class InaccessibleTensorError(ValueError):
    """Raised for a tensor of a loop or branch that the function around it uses.

    TensorFlow has the class, and no public name for it.
    """


class EffectFailed(Exception):
    """Wraps what an effect raised, so that the graph is not replayed to find the error."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error
