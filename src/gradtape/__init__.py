"""gradtape: automatic differentiation with TensorFlow's GradientTape API, on NumPy.

    import gradtape as tf

    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x**2
    tape.gradient(y, x)      # <tf.Tensor: shape=(), dtype=float32, numpy=6.0>
"""

from __future__ import annotations

import warnings

# Overflow and division by zero give inf and nan in tensors, without NumPy's warnings about them.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"gradtape\.")

from gradtape.api import (  # noqa: E402
    arrays,
    control_flow,
    elementwise,
    export,
    linalg,
    nn,
    random,
    reductions,
    signal,
    tapes,
)

__version__ = "0.1.0"

export.build(__name__, globals())
newaxis = None
