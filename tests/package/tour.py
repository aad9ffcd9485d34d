"""A tour of 200 public calls, as programs make them: run by a test, and checked by pyright."""

import tempfile
from pathlib import Path

import numpy as np

import gradtape as tf


def tensors() -> None:
    """Make tensors, and use Python's operators on them."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    y = tf.convert_to_tensor(np.ones((2, 2), np.float32))
    z = x**2 + 2 * x - y / 3 + x @ y
    inside = (z > 1.0) & (z <= 20.0)
    assert (x[0, 1:] == x[:1, 1]).shape == (1,)
    assert float(abs(-x)[0, 0]) == 1.0 and int(tf.rank(z)) == 2
    assert x.shape.as_list() == [2, 2] and x.dtype == tf.float32 and x.ndim == 2
    assert x.numpy().tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert [row.shape.rank for row in x] == [1, 1] and len(x) == 2
    tf.zeros((2, 3), tf.int32), tf.ones([2]), tf.fill([2, 2], 7.0), tf.eye(3)
    tf.range(5), tf.range(1, 10, 2), tf.linspace(0.0, 1.0, 5)
    tf.zeros_like(x), tf.ones_like(x, dtype=tf.float64), tf.one_hot([0, 2], depth=3)
    tf.cast(inside, tf.float32), tf.identity(x), tf.is_tensor(x), tf.size(x), tf.shape(x)[0]
    tf.reshape(x, [-1]), tf.transpose(x), tf.expand_dims(x, 0), tf.squeeze(x[None])
    tf.concat([x, y], axis=0), tf.stack([x, y]), tf.unstack(x), tf.split(x, 2, axis=1)
    tf.tile(x, [1, 2]), tf.repeat(x, 2, axis=0), tf.reverse(x, [0]), tf.roll(x, 1, axis=0)
    tf.pad(x, [[0, 1], [1, 0]]), tf.slice(x, [0, 0], [1, 2]), tf.gather(x, [1], axis=1)
    tf.gather_nd(x, [[0, 1]]), tf.boolean_mask(x, inside), tf.where(inside, x, y)
    tf.scatter_nd([[1]], [2.0], [3]), tf.tensor_scatter_nd_update(x[0], [[1]], [9.0])
    tf.meshgrid([1, 2], [3, 4]), tf.sequence_mask([1, 3]), tf.broadcast_to(x, (3, 2, 2))
    tf.sort(x), tf.argsort(x), tf.unique([1, 1, 2]).idx, tf.searchsorted([1.0, 2.0], [1.5])


def mathematics() -> None:
    """Compute."""
    x = tf.constant([0.5, 1.5, 2.5])
    tf.math.sin(x), tf.cos(x), tf.tan(x), tf.asin(x / 3), tf.tanh(x), tf.sigmoid(x)
    tf.exp(x), tf.math.log(x), tf.math.log1p(x), tf.sqrt(x), tf.math.rsqrt(x), tf.square(x)
    tf.abs(x), tf.sign(x), tf.floor(x), tf.math.ceil(x), tf.round(x), tf.math.erf(x)
    tf.add(x, 1), tf.subtract(x, 1.0), tf.multiply(x, x), tf.divide(x, 2.0), tf.pow(x, 3)
    tf.maximum(x, 1.0), tf.minimum(x, [1.0, 2.0, 3.0]), tf.math.floormod(x, 2.0)
    tf.reduce_sum(x), tf.reduce_mean(x, axis=0), tf.reduce_max(x, keepdims=True)
    tf.reduce_prod(x), tf.reduce_any(x > 1), tf.reduce_all(x > 0), tf.reduce_min(x, [0])
    tf.math.reduce_std(x), tf.math.reduce_variance(x), tf.reduce_logsumexp(x)
    tf.argmax(x), tf.argmin(x, axis=0), tf.cumsum(x), tf.math.cumprod(x, exclusive=True)
    tf.math.top_k(x, k=2).values, tf.math.segment_sum(x, [0, 0, 1]), tf.math.bincount([1, 1, 2])
    tf.clip_by_value(x, 0.0, 1.0), tf.clip_by_norm(x, 1.0), tf.math.is_nan(x)
    tf.greater(x, 1.0), tf.equal(x, x), tf.logical_and(x > 0, x < 2), tf.math.lgamma(x)
    tf.complex(x, x), tf.math.real(tf.complex(x, x)), tf.bitwise.bitwise_and(3, 6)
    tf.math.special.bessel_j0(x), tf.math.l2_normalize(x), tf.math.confusion_matrix([0, 1], [1, 1])
    clipped, norm = tf.clip_by_global_norm([x, x], 1.0)
    assert len(clipped) == 2 and float(norm) > 1.0


def linear_algebra() -> None:
    """Multiply, factor and solve."""
    a = tf.constant([[4.0, 1.0], [1.0, 3.0]])
    b = tf.constant([[1.0], [2.0]])
    tf.matmul(a, b), tf.matmul(a, a, transpose_b=True), tf.linalg.matvec(a, [1.0, 2.0])
    tf.einsum("ij,jk->ik", a, b), tf.tensordot(a, b, axes=1), tf.linalg.trace(a), tf.norm(a)
    tf.linalg.solve(a, b), tf.linalg.inv(a), tf.linalg.det(a), tf.linalg.cholesky(a)
    q, r = tf.linalg.qr(a)
    values, vectors = tf.linalg.eigh(a)
    assert q.shape == r.shape == vectors.shape and values.shape == (2,)
    s, _u, _v = tf.linalg.svd(a)
    tf.linalg.diag([1.0, 2.0]), tf.linalg.diag_part(a), tf.linalg.band_part(a, 0, -1), s[0]
    tf.linalg.triangular_solve(a, b), tf.linalg.lstsq(a, b), tf.linalg.expm(a), tf.linalg.pinv(a)
    tf.linalg.LinearOperatorDiag([1.0, 2.0]).matmul(b), tf.signal.fft(tf.cast(a, tf.complex64))


def derivatives() -> None:
    """Differentiate, in both modes."""
    x = tf.Variable(3.0, name="x")
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        z = tf.stop_gradient(y) * x
    assert float(tape.gradient(y, x)) == 6.0 and float(tape.gradient(z, x)) == 9.0
    c = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(c)
        s = c**3
    assert outer.jacobian(s, c).shape == (2, 2)
    with tf.autodiff.ForwardAccumulator(c, tf.ones(2)) as forward:
        f = tf.sin(c)
    assert forward.jvp(f) is not None
    assert float(tf.grad(lambda t: t**2)(3.0)) == 6.0
    value, slope = tf.value_and_grad(tf.sin)(0.0)
    assert float(value) == 0.0 and float(slope) == 1.0
    tf.vmap(lambda row: tf.reduce_sum(row))(tf.ones((3, 2))), tf.hessian(lambda t: t**3)(2.0)
    tf.vectorized_map(lambda e: e * 2, c), tf.map_fn(lambda e: e + 1, c)

    @tf.custom_gradient
    def clip(t: tf.Tensor):
        return t, lambda upstream: tf.clip_by_value(upstream, -1.0, 1.0)

    @tf.recompute_grad
    def block(t: tf.Tensor) -> tf.Tensor:
        return tf.tanh(t)

    assert clip(c).shape == block(c).shape


def variables_and_functions() -> None:
    """Assign, trace, and branch."""
    v = tf.Variable([1.0, 2.0], trainable=True, dtype=tf.float32)
    v.assign([2.0, 3.0])
    v.assign_add([1.0, 1.0])
    v.assign_sub(tf.ones(2))
    v[0].assign(5.0)
    assert v.trainable and v.shape == (2,) and v.numpy().sum() == 8.0 and v.name == "Variable:0"

    @tf.function
    def double(x: tf.Tensor, times: int = 1) -> tf.Tensor:
        return x * 2.0 * float(times)

    @tf.function(jit_compile=False, input_signature=[tf.TensorSpec([None], tf.float32)])
    def total(x):
        return tf.reduce_sum(x)

    assert double(tf.ones(2), times=2).shape == (2,) and float(total(tf.ones(3))) == 3.0
    assert double.get_concrete_function(tf.ones(2)) is not None
    tf.cond(tf.constant(True), lambda: 1.0, lambda: 2.0)
    tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [tf.constant(0)])
    tf.switch_case(1, [lambda: 1.0, lambda: 2.0]), tf.scan(lambda a, e: a + e, tf.range(3))
    tf.foldl(lambda a, e: a + e, tf.range(4))

    class Scale(tf.Module):
        def __init__(self) -> None:
            super().__init__(name="scale")
            self.factor = tf.Variable(2.0)

        @tf.function
        def __call__(self, x: tf.Tensor) -> tf.Tensor:
            return x * self.factor

    scale = Scale()
    assert float(scale(tf.constant(3.0))) == 6.0 and len(scale.trainable_variables) == 1
    with tf.name_scope("part"), tf.device("cpu:0"), tf.init_scope():
        array = tf.TensorArray(tf.float32, size=2)
    assert array.write(0, 1.0).write(1, 2.0).stack().shape == (2,)
    assert tf.executing_eagerly() and tf.nest.flatten([v, (1, 2)])[1] == 1
    tf.group()
    tf.no_op()
    tf.debugging.assert_equal(1, 1)
    tf.debugging.check_numerics(v, "v")


def neural_networks() -> None:
    """Build what networks are made of."""
    x = tf.random.normal((2, 8, 8, 3), seed=1)
    flat = tf.reshape(x, (2, -1))
    tf.nn.relu(x), tf.nn.elu(x), tf.nn.gelu(x), tf.nn.leaky_relu(x, alpha=0.1), tf.nn.silu(x)
    tf.nn.softmax(flat), tf.nn.log_softmax(flat, axis=-1), tf.nn.softplus(x), tf.nn.selu(x)
    tf.nn.conv2d(x, tf.ones((3, 3, 3, 4)), strides=1, padding="SAME")
    tf.nn.conv2d_transpose(x, tf.ones((2, 2, 4, 3)), [2, 16, 16, 4], strides=2)
    tf.nn.depthwise_conv2d(x, tf.ones((3, 3, 3, 1)), [1, 1, 1, 1], "VALID")
    tf.nn.max_pool2d(x, 2, 2, "VALID"), tf.nn.avg_pool(x, [2, 2], [2, 2], "SAME")
    tf.nn.dropout(x, rate=0.5), tf.nn.bias_add(x, [0.0, 0.0, 0.0]), tf.nn.l2_loss(x)
    mean, variance = tf.nn.moments(x, axes=[0, 1, 2])
    tf.nn.batch_normalization(x, mean, variance, offset=None, scale=None, variance_epsilon=1e-3)
    tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones(2), logits=tf.zeros(2))
    tf.nn.softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=[[1.0, 2.0]])
    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=[[1.0, 2.0]])
    tf.nn.embedding_lookup(tf.ones((5, 2)), [0, 4]), tf.nn.top_k(flat, 3).indices


def random_numbers() -> None:
    """Draw, with a seed of the program or of the call."""
    tf.random.set_seed(7)
    tf.random.uniform((2,), minval=0, maxval=10, dtype=tf.int32), tf.random.shuffle([1, 2, 3])
    tf.random.truncated_normal([2]), tf.random.categorical([[0.5, 0.5]], 3)
    tf.random.stateless_normal((2,), seed=[1, 2]), tf.random.gamma([2], alpha=1.0)
    generator = tf.random.Generator.from_seed(3)
    assert generator.normal((2,)).shape == (2,)


def data_and_files() -> None:
    """Feed data, and save."""
    data = tf.data.Dataset.from_tensor_slices(([1.0, 2.0, 3.0, 4.0], [0, 1, 0, 1]))
    data = data.map(lambda x, y: (x * 2, y), num_parallel_calls=tf.data.AUTOTUNE).shuffle(4)
    data = data.batch(2, drop_remainder=True).repeat(2).prefetch(tf.data.AUTOTUNE)
    assert len(list(data.take(3))) == 3
    assert [int(n) for n in tf.data.Dataset.range(4).filter(lambda n: n > 1)] == [2, 3]
    for features, labels in data.as_numpy_iterator():
        assert features.shape == labels.shape
    tf.data.Dataset.zip((data, data)).cache().skip(1), data.element_spec
    v = tf.Variable(1.0)
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = tf.train.Checkpoint(v=v)
        checkpoint.restore(checkpoint.save(str(Path(folder, "saved")))).assert_consumed()
        tf.train.latest_checkpoint(folder)
        tf.io.write_file(str(Path(folder, "text")), "hello")
        assert tf.io.read_file(str(Path(folder, "text"))) == b"hello"
        assert tf.io.gfile.exists(folder)
        writer = tf.summary.create_file_writer(folder)
        with writer.as_default():
            tf.summary.scalar("loss", 0.5, step=1)
    tf.io.parse_tensor(tf.io.serialize_tensor(v), tf.float32)
    feature = {"x": tf.io.FixedLenFeature([], tf.float32)}
    example = tf.train.Example(
        features=tf.train.Features(
            feature={"x": tf.train.Feature(float_list=tf.train.FloatList(value=[1.0]))}
        )
    )
    tf.io.parse_single_example(example.SerializeToString(), feature)
    assert not tf.config.list_physical_devices("TPU")


def images_texts_and_rows() -> None:
    """Images, strings, sparse and ragged tensors."""
    image = tf.random.uniform((8, 8, 3))
    tf.image.resize(image, (4, 4), method="bilinear"), tf.image.flip_left_right(image)
    tf.image.rgb_to_grayscale(image), tf.image.adjust_brightness(image, 0.1)
    tf.image.central_crop(image, 0.5), tf.image.convert_image_dtype(image, tf.uint8)
    tf.image.random_flip_left_right(image), tf.image.pad_to_bounding_box(image, 1, 1, 10, 10)
    tf.strings.join(["a", "b"]), tf.strings.length("abc"), tf.strings.lower("ABC")
    tf.strings.split("a b").shape, tf.strings.to_number("2.5"), tf.strings.as_string([1, 2])
    tf.strings.regex_replace("a1", "[0-9]", ""), tf.strings.substr("hello", 1, 3)
    rows = tf.ragged.constant([[1.0], [2.0, 3.0]])
    tf.reduce_sum(rows, axis=1), rows.to_tensor(), tf.RaggedTensor.from_row_lengths([1, 2], [1, 1])
    sparse = tf.SparseTensor([[0, 1]], [2.0], [2, 2])
    tf.sparse.to_dense(sparse), tf.sparse.sparse_dense_matmul(sparse, tf.eye(2)), tf.sin(rows)
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)
    assert int(table.lookup(tf.constant("a"))) == 1
    tf.experimental.numpy.arange(3), tf.experimental.numpy.array([1.0]).shape
    tf.signal.stft(tf.ones(16), frame_length=8, frame_step=4), tf.signal.hann_window(8)
    tf.sets.union([[1]], [[2]]), tf.quantization.fake_quant_with_min_max_args([0.5])


STOPS = (
    tensors,
    mathematics,
    linear_algebra,
    derivatives,
    variables_and_functions,
    neural_networks,
    random_numbers,
    data_and_files,
    images_texts_and_rows,
)
