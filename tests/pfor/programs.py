"""Programs of one example, with control flow and indices that differ between the examples.

Each is a function of (tf, x, k, w): a row of five numbers, an integer from 0 to 3, and five weights
that all examples share. Their kinds are those of TensorFlow's tests of `pfor`.
"""

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


# --- branches ------------------------------------------------------------------------------------


@program
def cond(tf, x, k, w):
    return tf.cond(x[0] > 0.5, lambda: x**3 * w, lambda: tf.sin(x) * w[::-1])


@program
def cond_by_the_index(tf, x, k, w):
    return tf.cond(k % 2 < 1, lambda: tf.reduce_sum(x * w), lambda: tf.reduce_sum(w * w * x))


@program
def cond_of_structures(tf, x, k, w):
    a, b = tf.cond(k > 1, lambda: (x * w, x[0] ** 2), lambda: (w * 2, tf.exp(x[1])))
    return a * b


@program
def cond_that_is_the_same_for_all(tf, x, k, w):
    return tf.cond(tf.reduce_sum(w) > 0, lambda: x * w, lambda: x - w)


@program
def cond_guarding_a_singularity(tf, x, k, w):
    return tf.cond(k > 0, lambda: tf.math.log(tf.cast(k, x.dtype)) * x * w, lambda: x * x * w)


@program
def nested_cond(tf, x, k, w):
    def inner():
        return tf.cond(x[1] > 0.5, lambda: x * w * w, lambda: x * x * w)

    return tf.cond(k > 1, inner, lambda: tf.tanh(x * w))


@program
def case(tf, x, k, w):
    pairs = [(x[0] > 0.75, lambda: x * w), (k < 2, lambda: x * x * w)]
    return tf.case(pairs, default=lambda: w * w * tf.cos(x))


@program
def switch_case(tf, x, k, w):
    return tf.switch_case(k, [lambda: x * w, lambda: x**2 * w, lambda: tf.sin(x * w)])


@program
def switch_case_with_default(tf, x, k, w):
    branches = {1: lambda: x * w, 3: lambda: x**2 * w}
    return tf.switch_case(k, branches, default=lambda: tf.exp(x) * w)


# --- loops ---------------------------------------------------------------------------------------


@program
def while_of_different_lengths(tf, x, k, w):
    _, total = tf.while_loop(
        lambda j, total: j < k, lambda j, total: (j + 1, total * x + w), (0, x)
    )
    return total


@program
def while_of_one_length(tf, x, k, w):
    _, total = tf.while_loop(
        lambda j, total: j < 3, lambda j, total: (j + 1, tf.sin(total * x) + w), (0, x)
    )
    return total


@program
def while_by_a_value(tf, x, k, w):
    return tf.while_loop(
        lambda y: tf.reduce_sum(y * y) < 40.0, lambda y: (y * 1.5 + w * 0.1,), (x + 1.0,)
    )[0]


@program
def while_with_a_limit(tf, x, k, w):
    _, y = tf.while_loop(
        lambda j, y: j < 2 * k,
        lambda j, y: (j + 1, tf.cos(y) * w),
        (0, x),
        maximum_iterations=3,
    )
    return y


@program
def while_over_elements(tf, x, k, w):
    _, total = tf.while_loop(
        lambda j, total: j <= k, lambda j, total: (j + 1, total + x[j] * w[j] ** 2), (0, x[4])
    )
    return total


@program
def while_in_a_while(tf, x, k, w):
    def outer(i, y):
        _, y = tf.while_loop(lambda j, y: j < i, lambda j, y: (j + 1, tf.sin(y) * w), (0, y))
        return i + 1, y + x

    return tf.while_loop(lambda i, y: i < k, outer, (0, x))[1]


@program
def cond_in_a_while(tf, x, k, w):
    def body(j, y):
        return j + 1, tf.cond(j % 2 < 1, lambda: y * w, lambda: tf.sin(y) + x)

    return tf.while_loop(lambda j, y: j < k, body, (0, x))[1]


@program
def while_in_a_cond(tf, x, k, w):
    def loop():
        return tf.while_loop(lambda j, y: j < k, lambda j, y: (j + 1, y * x), (0, w))[1]

    return tf.cond(x[0] > 0.5, loop, lambda: x * w)


@program
def scan(tf, x, k, w):
    return tf.scan(lambda a, e: tf.sin(a * e) + w[0], x * w)


@program
def fold_of_a_cond(tf, x, k, w):
    def step(a, e):
        return tf.cond(e > 0.5, lambda: a * e, lambda: a + e * w[1])

    return tf.foldl(step, x, w[0])


# --- TensorArrays --------------------------------------------------------------------------------


@program
def array_written_by_the_index(tf, x, k, w):
    array = tf.TensorArray(x.dtype, 4, element_shape=(5,), clear_after_read=False)
    array = array.write(0, x * w).write(1, w * w).write(k, x * x)
    return array.stack()


@program
def array_read_by_the_index(tf, x, k, w):
    array = tf.TensorArray(x.dtype, 5, clear_after_read=False).unstack(x * w)
    return array.read(k) * array.read(2)


@program
def array_gathered(tf, x, k, w):
    array = tf.TensorArray(x.dtype, 5, clear_after_read=False).unstack(x * w)
    return array.gather([k, k + 1, 0])


@program
def array_scattered(tf, x, k, w):
    array = tf.TensorArray(x.dtype, 6, element_shape=())
    return array.scatter([k, 5, 4], (x * w)[:3]).stack()


@program
def array_made_outside(tf, x, k, w):
    array = tf.TensorArray(w.dtype, 5, clear_after_read=False).unstack(w * w)
    return x * array.read(k)


@program
def array_in_a_while(tf, x, k, w):
    array = tf.TensorArray(x.dtype, 4, element_shape=(5,))
    _, array = tf.while_loop(
        lambda j, a: j < 4, lambda j, a: (j + 1, a.write(j, x * w + x[0])), (0, array)
    )
    return array.stack()


@program
def array_in_a_while_of_different_lengths(tf, x, k, w):
    array = tf.TensorArray(x.dtype, 4, element_shape=(5,))
    _, _, array = tf.while_loop(
        lambda j, y, a: j < k,
        lambda j, y, a: (j + 1, tf.sin(y) * w, a.write(j, y * y)),
        (0, x, array),
    )
    return array.stack()


@program
def array_read_in_a_while(tf, x, k, w):
    array = tf.TensorArray(x.dtype, 5, clear_after_read=False).unstack(x * w)
    return tf.while_loop(
        lambda j, total: j < k, lambda j, total: (j + 1, total * array.read(j) + x[0]), (0, x[1])
    )[1]


# --- slices --------------------------------------------------------------------------------------


@program
def slice_from_the_index(tf, x, k, w):
    return x[k : k + 2] ** 2 * w[:2]


@program
def slice_of_the_weights(tf, x, k, w):
    return w[k : k + 2] ** 2 * x[1:3]


@program
def slice_backward(tf, x, k, w):
    table = tf.concat([x, x * w], 0)
    return table[k + 3 : k : -1] * table[k : k + 5 : 2]


@program
def slice_of_a_matrix(tf, x, k, w):
    table = x[:, None] * w[None, :]
    return table[k : k + 2, 1:, None][..., 0]


@program
def element_at_the_index(tf, x, k, w):
    return x[k] * w[-1 - k] + x[4 - k] ** 2


@program
def slice_op(tf, x, k, w):
    table = x[:, None] * w[None, :]
    return tf.slice(table, [k, 1], [2, 3])


@program
def slice_op_of_a_vector_of_starts(tf, x, k, w):
    table = x[:, None] * w[None, :]
    return tf.slice(table, tf.stack([k, 3 - k]), [2, 2])


@program
def strided_slice(tf, x, k, w):
    return tf.strided_slice(x * w, [k], [k + 2]) * w[0]


@program
def strided_slice_that_shrinks(tf, x, k, w):
    table = x[:, None] * w[None, :]
    return tf.strided_slice(table, [k, 0], [k + 1, 4], [1, 2], shrink_axis_mask=1)


# --- tile, roll, gather, scatter -----------------------------------------------------------------


@program
def tile(tf, x, k, w):
    return tf.tile(x * w, [2]) * tf.tile(w * tf.cast(k, x.dtype), [2])


@program
def roll(tf, x, k, w):
    return tf.roll(x * w, 2, 0) * x


@program
def roll_by_the_index(tf, x, k, w):
    return tf.roll(x * w, k, 0) * x


@program
def roll_by_several(tf, x, k, w):
    table = x[:, None] * w[None, :]
    return tf.roll(table, [k - 2, -1, k], [0, 1, 1]) * x


@program
def gather(tf, x, k, w):
    return tf.gather(x, [k, 0, k + 1]) * tf.gather(w * w, [[k], [k + 1], [2]])


@program
def gather_along_an_axis(tf, x, k, w):
    table = x[:, None] * w[None, :]
    return tf.gather(table, [k, 1], axis=1) * tf.gather(table, k, axis=-1)[:, None]


@program
def gather_nd(tf, x, k, w):
    table = x[:, None] * w[None, :]
    return tf.gather_nd(table, [[k, 1], [2, k + 1]])


@program
def scatter_nd(tf, x, k, w):
    return tf.scatter_nd([[k], [4], [k]], (x * w)[:3], [6])


@program
def scatter_update(tf, x, k, w):
    return tf.tensor_scatter_nd_update(x * x, [[k], [4]], (x * w)[:2])


@program
def scatter_add(tf, x, k, w):
    return tf.tensor_scatter_nd_add(x * x, [[k], [k + 1]], (x * w)[:2])


@program
def scatter_max(tf, x, k, w):
    return tf.tensor_scatter_nd_max(x * x, [[k], [4]], (x * w)[:2])


@program
def segments(tf, x, k, w):
    return tf.math.unsorted_segment_sum(x * w, [k, 0, k, 3, 1], 4)


@program
def one_hot(tf, x, k, w):
    return tf.one_hot(k, 5, dtype=x.dtype) * x * w


@program
def embedding(tf, x, k, w):
    table = w[:, None] * tf.ones((1, 3), w.dtype)
    return tf.nn.embedding_lookup(table, [k, k + 1, 0]) * x[:3]
