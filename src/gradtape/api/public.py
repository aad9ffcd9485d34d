"""Importing this module defines every public name; `build` puts them into a package."""

from gradtape.api import (
    arrays,  # noqa: F401
    candidate_sampling,  # noqa: F401
    control_flow,  # noqa: F401
    convolution,  # noqa: F401
    elementwise,  # noqa: F401
    linalg,  # noqa: F401
    nn,  # noqa: F401
    random,  # noqa: F401
    random_initializers,  # noqa: F401
    reductions,  # noqa: F401
    sets,  # noqa: F401
    signal,  # noqa: F401
    sparse,  # noqa: F401
    sparse_math,  # noqa: F401
    tapes,  # noqa: F401
)
from gradtape.api.export import build

__all__ = ["build"]
