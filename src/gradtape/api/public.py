"""Importing this module defines every public name; `build` puts them into a package."""

from gradtape.api import (
    arrays,  # noqa: F401
    assertions,  # noqa: F401
    compat,  # noqa: F401
    control_flow,  # noqa: F401
    convolution,  # noqa: F401
    elementwise,  # noqa: F401
    experimental,  # noqa: F401
    functions,  # noqa: F401
    gradients,  # noqa: F401
    initializers,  # noqa: F401
    inspection,  # noqa: F401
    lazy,  # noqa: F401
    linalg,  # noqa: F401
    modules,  # noqa: F401
    nests,  # noqa: F401
    nn,  # noqa: F401
    pipelines,  # noqa: F401
    printing,  # noqa: F401
    random,  # noqa: F401
    random_initializers,  # noqa: F401
    reductions,  # noqa: F401
    scopes,  # noqa: F401
    shape_assertions,  # noqa: F401
    specs,  # noqa: F401
    tapes,  # noqa: F401
    tensor_array,  # noqa: F401
)
from gradtape.api.export import build

__all__ = ["build"]
