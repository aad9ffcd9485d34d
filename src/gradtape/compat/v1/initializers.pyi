# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.compat.v1_initializers import TruncatedNormal as _TruncatedNormal
from gradtape.api.compat.v1_initializers import VarianceScaling
from gradtape.api.compat.v1_initializers import VarianceScaling as _VarianceScaling
from gradtape.compat.v1 import glorot_normal_initializer as _glorot_normal_initializer
from gradtape.compat.v1 import glorot_uniform_initializer as _glorot_uniform_initializer
from gradtape.core.typing import DTypeLike
from typing import Any

def he_normal(seed: Any = None, dtype: DTypeLike = ...) -> VarianceScaling:
    """Return VarianceScaling(2.0, 'fan_in', 'truncated_normal').

    Args:
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        dtype: the dtype of the result.
    """

def he_uniform(seed: Any = None, dtype: DTypeLike = ...) -> VarianceScaling:
    """Return VarianceScaling(2.0, 'fan_in', 'uniform').

    Args:
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        dtype: the dtype of the result.
    """

def lecun_normal(seed: Any = None, dtype: DTypeLike = ...) -> VarianceScaling:
    """Return VarianceScaling(1.0, 'fan_in', 'truncated_normal').

    Args:
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        dtype: the dtype of the result.
    """

def lecun_uniform(seed: Any = None, dtype: DTypeLike = ...) -> VarianceScaling:
    """Return VarianceScaling(1.0, 'fan_in', 'uniform').

    Args:
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        dtype: the dtype of the result.
    """

glorot_normal = _glorot_normal_initializer
glorot_uniform = _glorot_uniform_initializer
truncated_normal = _TruncatedNormal
variance_scaling = _VarianceScaling
