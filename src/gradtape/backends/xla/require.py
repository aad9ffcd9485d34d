"""The import of JAX, with an error that says what to install."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

OLDEST = (0, 5, 0)
_INSTALL = (
    'Install it with `pip install "gradtape[xla]"`; on a machine with an NVIDIA GPU with '
    '`pip install "gradtape[xla]" "jax[cuda12]"`.'
)

try:
    import jax
except ImportError as error:
    raise ImportError(
        f"gradtape computes on GPUs, TPUs and XLA devices with JAX, which cannot be imported here "
        f"({error}). {_INSTALL}"
    ) from error

if jax.__version_info__ < OLDEST:
    raise ImportError(
        f"gradtape needs JAX {'.'.join(map(str, OLDEST))} or newer for XLA devices; this is JAX "
        f"{jax.__version__}. {_INSTALL}"
    )


def exact_types():
    """Return a context in which float64 and int64 are exact: see the docstring of `kernels`."""
    return _enable_x64(True)


_enable_x64: Callable[[bool], AbstractContextManager]
if hasattr(jax, "enable_x64"):
    _enable_x64 = jax.enable_x64
else:  # older versions have it elsewhere
    from jax import experimental

    _enable_x64 = experimental.enable_x64
