# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.compat.names import OperatorNotAllowedInGraphError as OperatorNotAllowedInGraphError
from gradtape.core.errors import AbortedError as AbortedError
from gradtape.core.errors import AlreadyExistsError as AlreadyExistsError
from gradtape.core.errors import AxisError as AxisError
from gradtape.core.errors import CancelledError as CancelledError
from gradtape.core.errors import DTypeError as DTypeError
from gradtape.core.errors import DataLossError as DataLossError
from gradtape.core.errors import DeadlineExceededError as DeadlineExceededError
from gradtape.core.errors import FailedPreconditionError as FailedPreconditionError
from gradtape.core.errors import InaccessibleTensorError as InaccessibleTensorError
from gradtape.core.errors import InternalError as InternalError
from gradtape.core.errors import InvalidArgumentError as InvalidArgumentError
from gradtape.core.errors import NotFoundError as NotFoundError
from gradtape.core.errors import OpError as OpError
from gradtape.core.errors import OutOfRangeError as OutOfRangeError
from gradtape.core.errors import PermissionDeniedError as PermissionDeniedError
from gradtape.core.errors import ResourceExhaustedError as ResourceExhaustedError
from gradtape.core.errors import ShapeError as ShapeError
from gradtape.core.errors import UnauthenticatedError as UnauthenticatedError
from gradtape.core.errors import UnavailableError as UnavailableError
from gradtape.core.errors import UnimplementedError as UnimplementedError
from gradtape.core.errors import UnknownError as UnknownError

ABORTED: int
ALREADY_EXISTS: int
CANCELLED: int
DATA_LOSS: int
DEADLINE_EXCEEDED: int
FAILED_PRECONDITION: int
INTERNAL: int
INVALID_ARGUMENT: int
NOT_FOUND: int
OK: int
OUT_OF_RANGE: int
PERMISSION_DENIED: int
RESOURCE_EXHAUSTED: int
UNAUTHENTICATED: int
UNAVAILABLE: int
UNIMPLEMENTED: int
UNKNOWN: int
