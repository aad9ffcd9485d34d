"""Names that public functions have in TensorFlow's private modules."""

from __future__ import annotations

import gradtape as tf

linalg = tf.linalg

diag, diag_part = linalg.tensor_diag, linalg.tensor_diag_part
matrix_diag, matrix_diag_part = linalg.diag, linalg.diag_part
matrix_set_diag, linspace_nd, mul = linalg.set_diag, tf.linspace, tf.multiply
scatter_nd_non_aliasing_add = tf.tensor_scatter_nd_add
function = defun = Function = tf.function
ResourceVariable = BaseResourceVariable = tf.Variable
_NAMESPACES = (tf, tf.math, tf.nn, tf.sparse, tf.image, tf.debugging)

enable_op_determinism = disable_op_determinism = lambda: None  # results are always the same


def batch_gather(params, indices, name=None):
    """Return, for each index of all dimensions but the last, the entries that `indices` names."""
    return tf.gather(params, indices, batch_dims=tf.rank(indices) - 1)


def enabled() -> bool:
    """Return whether this is TensorFlow 2: `tf2.enabled`."""
    return True


def for_loop(loop_fn, loop_fn_dtypes, iters, parallel_iterations=None):
    """Return the stacked results of a function of each number: what `pfor` is compared with."""
    results = [loop_fn(tf.constant(i)) for i in range(int(iters))]
    if not results:
        return None
    columns = zip(*map(tf.nest.flatten, results), strict=True)
    stacked = [None if column[0] is None else tf.stack(list(column)) for column in columns]
    return tf.nest.pack_sequence_as(results[0], stacked)


def __getattr__(name: str):
    """Return the public function of a name that ends with a version."""
    if name.endswith("_v1"):
        return getattr(tf.compat.v1, name[:-3])
    if name.endswith("_v2"):
        for namespace in _NAMESPACES:
            if hasattr(namespace, name[:-3]):
                return getattr(namespace, name[:-3])
    raise AttributeError(name)
