"""The guides about tensors, slicing, variables and sparse tensors, in short."""

import json

import numpy as np
import tensorflow as tf

result = {}


def note(name, value):
    result[name] = np.asarray(value).tolist()


# --- making and describing tensors
rank_2 = tf.constant([[1, 2], [3, 4], [5, 6]], dtype=tf.float16)
rank_3 = tf.constant([[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 10, 11]]])
rank_4 = tf.zeros([3, 2, 4, 5])
result["repr"] = repr(tf.constant([1.5, 2.0])) + str(tf.constant(3)) + repr(rank_2)
result["about"] = [
    rank_4.dtype.name,
    rank_4.ndim,
    list(rank_4.shape),
    rank_4.shape[-1],
    int(tf.size(rank_4)),
    tf.rank(rank_4).numpy().item(),
    tf.shape(rank_4).numpy().tolist(),
]
a, b = tf.constant([[1, 2], [3, 4]]), tf.constant([[1, 1], [1, 1]])
note("sum", a + b)
note("product", a * b)
note("matmul", a @ b)
c = tf.constant([[4.0, 5.0], [10.0, 1.0]])
note("largest", tf.reduce_max(c))
note("where_largest", tf.math.argmax(c))
note("softmax", tf.nn.softmax(c))

# --- indexing
fibonacci = tf.constant([0, 1, 1, 2, 3, 5, 8, 13, 21, 34])
for key in (
    slice(None, 4),
    slice(4, None),
    slice(2, 7),
    slice(None, None, 2),
    slice(None, None, -1),
):
    note(f"fibonacci{key}", fibonacci[key])
note("row", rank_2[1, :])
note("column", rank_2[:, 1])
note("last_row", rank_2[-1, :])
note("all_but_first", rank_2[1:, :])
note("feature", rank_3[:, :, 2])
note("ellipsis", rank_3[..., 0])
note("newaxis", rank_3[:, tf.newaxis, 0].shape)

# --- shapes
x = tf.constant([[1], [2], [3]])
result["shapes"] = [
    x.shape.as_list(),
    tf.reshape(x, [1, 3]).shape.as_list(),
    str(tf.reshape(rank_3, [-1]).shape),
    tf.reshape(rank_3, [4, -1]).shape.as_list(),
    list(tf.transpose(rank_3, [2, 0, 1]).shape),
]
note("transposed", tf.transpose(rank_3, perm=[2, 0, 1]))
try:
    tf.reshape(rank_3, [7, -1])
except tf.errors.InvalidArgumentError:
    result["error"] = "invalid"
note("broadcast", tf.multiply(tf.reshape(x, [3, 1]), tf.range(1, 5)))
note("broadcast_to", tf.broadcast_to(tf.constant([1, 2, 3]), [3, 3]))
note("cast", tf.cast(tf.constant([2.2, 3.3, -4.4], tf.float64), tf.int32))

# --- the guide on slicing
t1 = tf.constant([0, 1, 2, 3, 4, 5, 6, 7])
t2 = tf.constant([[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14], [15, 16, 17, 18, 19]])
t3 = tf.constant([[[1, 3, 5, 7], [9, 11, 13, 15]], [[17, 19, 21, 23], [25, 27, 29, 31]]])
note("slice", tf.slice(t1, begin=[1], size=[3]))
note("slice_2", tf.slice(t2, begin=[1, 3], size=[3, 2]))
note("slice_3", tf.slice(t3, begin=[1, 1, 0], size=[1, 1, 2]))
note("strided", tf.strided_slice(t2, [0, 0], [4, 5], [2, 2]))
note("gather", tf.gather(t1, indices=[0, 3, 6]))
note("gather_columns", tf.gather(t2, [0, 4], axis=1))
note("gather_nd", tf.gather_nd(t2, indices=[[2], [3], [0]]))
note("gather_nd_batch", tf.gather_nd(t3, indices=[[0, 1], [1, 0]], batch_dims=1))
t6 = tf.constant([10])
indices = tf.constant([[1], [3], [5], [7], [9]])
data = tf.constant([2, 4, 6, 8, 10])
note("scatter", tf.scatter_nd(indices=indices, updates=data, shape=t6))
t11 = tf.constant([[2, 7, 0], [9, 0, 1], [0, 3, 8]])
t12 = tf.tensor_scatter_nd_add(t11, indices=[[0, 2], [1, 1], [2, 0]], updates=[6, 5, 4])
note("scatter_add", t12)
note("scatter_sub", tf.tensor_scatter_nd_sub(t11, [[0, 0], [0, 1]], [2, 7]))
note("scatter_min", tf.tensor_scatter_nd_min(t11, [[0, 0], [0, 1]], [1, 9]))
note("scatter_max", tf.tensor_scatter_nd_max(t11, [[0, 0], [0, 1]], [1, 9]))
note("scatter_update", tf.tensor_scatter_nd_update(t11, [[1], [2]], tf.ones([2, 3], tf.int32)))
note("mask", tf.boolean_mask(t2, t2 > 8))

# --- text, sparse tensors
text = tf.constant(["Gray wolf", "Quick brown fox"])
result["text"] = [item.decode() for item in text.numpy()]
sparse = tf.sparse.SparseTensor(indices=[[0, 0], [1, 2]], values=[1, 2], dense_shape=[3, 4])
note("dense", tf.sparse.to_dense(sparse))
note("sparse_sum", tf.sparse.to_dense(tf.sparse.add(sparse, sparse)))
note("sparse_product", tf.sparse.sparse_dense_matmul(tf.cast(sparse, tf.float32), tf.ones([4, 2])))

# --- variables
variable = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="my_variable")
result["variable"] = [str(variable.shape), variable.dtype.name, variable.name, variable.trainable]
note("as_tensor", tf.convert_to_tensor(variable))
note("argmax", tf.math.argmax(variable))
note("reshaped", tf.reshape(variable, [1, 4]))
copy = tf.Variable(variable)
variable.assign([[5.0, 6.0], [7.0, 8.0]])
note("copy", copy)
note("add", variable.assign_add([[1.0, 1.0], [1.0, 1.0]]))
variable[0, 1].assign(0.0)
variable.scatter_nd_update([[1, 0]], [9.0])
note("changed", variable)
try:
    variable.assign([1.0, 2.0, 3.0])
except Exception as error:
    result["wrong_shape"] = type(error).__name__
note("equal", variable == copy)
counter = tf.Variable(1, trainable=False)
for _ in tf.range(3):
    counter.assign_add(2)
note("counter", counter)
print(json.dumps(result))
