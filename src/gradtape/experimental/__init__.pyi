# Written by `python -m tools.stubs`: change the source, and run it again.

from contextlib import AbstractContextManager
from gradtape.api.extension_types.base import BatchableExtensionType as BatchableExtensionType
from gradtape.api.extension_types.base import ExtensionType as ExtensionType
from gradtape.api.extension_types.encoders import ExtensionTypeBatchEncoder as ExtensionTypeBatchEncoder
from gradtape.api.extension_types.specs import ExtensionTypeSpec as ExtensionTypeSpec
from gradtape.core.dtypes import DType
from gradtape.data.iterator import Optional as Optional
from gradtape.experimental import dlpack as dlpack
from gradtape.experimental import extension_type as extension_type
from gradtape.experimental import numpy as numpy
from typing import Any

def async_clear_error() -> None:
    """Do nothing: errors are raised where they happen.

    Returns:
        Nothing.
    """

def async_scope() -> AbstractContextManager[None]:
    """Open a block whose ops could run asynchronously; they run immediately.

    Returns:
        A context manager.
    """

def dispatch_for_api(api: Any, *signatures: Any) -> Any:
    """Return a decorator that registers a function in place of a public one, for some arguments.

    Each signature is a dictionary from parameters to annotations: classes, `List[…]`, `Union[…]`.
    Without any, the annotations of the decorated function say which arguments it is for. A call is
    dispatched if all of them fit, and one of these arguments is a composite or has one.

    Args:
        api: a public function, such as tf.stack.
        *signatures: dictionaries from parameters (by name, or by position) to annotations.

    Returns:
        A decorator.

    Raises:
        ValueError if the function is none that tensors are given to, or if the decorated function
            has other parameters.
    """

def dispatch_for_binary_elementwise_apis(x_type: Any, y_type: Any) -> Any:
    """Return a decorator that registers a function for all elementwise functions of x and y.

    It is called with the function, x and y, if both fit their annotations.

    Args:
        x_type: an annotation: a class of composites, or a Union or List of classes.
        y_type: an annotation, as for x.

    Returns:
        A decorator.

    Raises:
        ValueError if an annotation is no class, Union or List, or if a function is registered for
            both already.
    """

def dispatch_for_binary_elementwise_assert_apis(x_type: Any, y_type: Any) -> Any:
    """Return a decorator that registers a function for all assertions that compare x and y.

    It is called with the assertion, x and y, if both fit their annotations.

    Args:
        x_type: an annotation: a class of composites, or a Union or List of classes.
        y_type: an annotation, as for x.

    Returns:
        A decorator.

    Raises:
        ValueError if an annotation is no class, Union or List, or if a function is registered for
            both already.
    """

def dispatch_for_unary_elementwise_apis(x_type: Any) -> Any:
    """Return a decorator that registers a function for all functions of each element of x.

    It is called with the function and x, if x fits the annotation.

    Args:
        x_type: an annotation: a class of composites, or a Union or List of classes.

    Returns:
        A decorator.

    Raises:
        ValueError if the annotation is no class, Union or List, or if a function is registered for
            it already.
    """

def enable_strict_mode() -> None:
    """Do nothing: there are no deprecated behaviors to turn off.

    Returns:
        Nothing.
    """

float8_e4m3fn: DType
float8_e5m2: DType
def function_executor_type(executor_type: str) -> AbstractContextManager[None]:
    """Open a block for which nothing changes.

    Args:
        executor_type: has no effect; there for compatibility.

    Returns:
        A context manager.
    """

int4: DType
uint4: DType
def unregister_dispatch_for(dispatch_target: Any) -> Any:
    """Forget a function that was registered with one of the decorators.

    Args:
        dispatch_target: a function that one of the decorators has returned.

    Returns:
        Nothing.

    Raises:
        ValueError if the function was not registered.
    """
