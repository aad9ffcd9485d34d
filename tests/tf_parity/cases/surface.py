"""What programs use around the calculus: functions, arrays of tensors, structures, strings."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, integers, normal, positive

case = CaseList()

# --- tf.function ---------------------------------------------------------------------------------


def _decorated(tf, x):
    @tf.function
    def f(x, factor=2.0):
        total = tf.zeros_like(x)
        for i in tf.range(3):
            if tf.reduce_sum(x) > 0:
                total += x * factor
            else:
                total -= x * tf.cast(i, x.dtype)
        return total, {"mean": tf.reduce_mean(total)}

    return f(x)


def _gradients(tf, x):
    @tf.function
    def f(x):
        y = tf.reduce_sum(x**3)
        (first,) = tf.gradients(y, x)
        (second,) = tf.gradients(first, x)
        c = tf.constant(2.0)
        return first, second, tf.gradients(c * y, [x, c]), tf.gradients(x * x, x, grad_ys=x)

    return f(x)


def _stopped(tf, x):
    @tf.function
    def f(x):
        u = x * x
        return tf.gradients(x * u, x, stop_gradients=[u]), tf.gradients(
            u, tf.constant(1.0), unconnected_gradients="zero"
        )

    return f(x)


def _hessians(tf, x):
    @tf.function
    def f(x):
        return tf.hessians(tf.reduce_sum(x * x * x[0]), x)

    return f(x)


def _contexts(tf, x):
    outside = tf.executing_eagerly(), tf.inside_function()
    inside = tf.function(lambda: (tf.executing_eagerly(), tf.inside_function()))()
    return outside, inside, tf.is_symbolic_tensor(x)


case("function", _decorated, x=normal(3, shift=1.0))
case("function_negative", _decorated, x=normal(3, shift=-2.0))
case("gradients", _gradients, wrt="", x=normal(3))
case("gradients_stopped", _stopped, wrt="", x=normal(3))
case("hessians", _hessians, wrt="", x=normal(3))
case("contexts", _contexts, wrt="", x=normal(1))
case("static_value", lambda tf, x: tf.get_static_value(x), wrt="", x=normal(2))

# --- TensorArray ---------------------------------------------------------------------------------


def _written(tf, x):
    result = tf.TensorArray(tf.float32, size=0, dynamic_size=True, clear_after_read=False)
    for i in range(3):
        result = result.write(i, x[i] * float(i + 1))
    return result.stack(), result.gather([2, 0]), result.concat(), result.read(1), result.size()


def _unstacked(tf, x):
    rows = tf.TensorArray(tf.float32, size=3).unstack(x)
    out = tf.TensorArray(tf.float32, size=4)
    for i in range(3):
        out = out.write(i, rows.read(i) ** 2)
    return out.stack()


case("tensor_array_write", _written, x=normal(3, 2))
case("tensor_array_unstack", _unstacked, x=normal(3, 2))
case(
    "tensor_array_scatter",
    lambda tf, x: tf.TensorArray(tf.float32, size=4).scatter([3, 0, 1], x).stack(),
    x=normal(3, 2),
)
case(
    "tensor_array_split",
    lambda tf, x: tf.TensorArray(tf.float32, size=2, infer_shape=False).split(x, [1, 2]).read(1),
    x=normal(3, 2),
)

# --- names, modules, structures ------------------------------------------------------------------


def _scopes(tf):
    with tf.name_scope("a"):
        outer = tf.Variable(1.0, name="v").name
        with tf.name_scope("b") as b:
            inner = tf.get_current_name_scope()
    return outer, b, inner, tf.get_current_name_scope()


def _module(tf, x):
    class Part(tf.Module):
        def __init__(self, value, name=None):
            super().__init__(name=name)
            self.w = tf.Variable(value, name="w")
            self.fixed = tf.Variable(0.0, trainable=False, name="fixed")

        @tf.Module.with_name_scope
        def __call__(self, x):
            if not hasattr(self, "late"):
                self.late = tf.Variable(3.0, name="late")
            return x * self.w * self.late

    class Whole(tf.Module):
        def __init__(self):
            super().__init__()
            self.parts = [Part(1.0, name="first"), Part(2.0)]
            self.by_name = {"z": tf.Variable(5.0, name="z")}

    whole = Whole()
    y = whole.parts[1](whole.parts[0](x))
    return (
        y,
        [v.name for v in whole.variables],
        [v.name for v in whole.trainable_variables],
        [v.name for v in whole.non_trainable_variables],
        [m.name for m in whole.submodules],
    )


def _nests(tf, x):
    nested = {"b": x, "a": [x + 1.0, (x * 2.0,)]}
    flat = tf.nest.flatten(nested)
    tf.nest.assert_same_structure(nested, {"b": 1, "a": [2, (3,)]})
    loose = tf.nest.map_structure(lambda a, b: a + b, [1, (2,)], [3, [4]], check_types=False)
    packed = tf.nest.pack_sequence_as(nested, [y * 3.0 for y in flat])
    return flat, packed, loose, tf.nest.is_nested(nested), tf.nest.is_nested(3)


case("name_scopes", _scopes)
case("module", _module, x=normal(2))
case("nest", _nests, x=normal(2))
case("tuple", lambda tf, x: tf.tuple([x, x * 2.0]), x=normal(2))
case("group", lambda tf, x: (tf.group(x), tf.no_op()), wrt="", x=normal(2))
case(
    "device_spec",
    lambda tf: tf.DeviceSpec.from_string("/job:worker/task:1/device:GPU:2").to_string(),
)

# --- strings -------------------------------------------------------------------------------------

case(
    "as_string",
    lambda tf, x: (
        tf.as_string(x),
        tf.as_string(x, precision=2, width=8, fill="0"),
        tf.as_string(x, scientific=True),
        tf.as_string(x, shortest=True),
        tf.as_string(tf.constant([True, False])),
        tf.as_string(tf.constant([3, -2]), width=4),
    ),
    wrt="",
    x=array([3.14159, -1e10, 0.1]),
)
case(
    "strings",
    lambda tf: (
        tf.strings.join(["a", tf.constant(["b", "c"])], separator="-"),
        tf.strings.reduce_join(tf.constant([["a", "b"], ["c", "d"]]), axis=[0, 1], separator="+"),
        tf.strings.reduce_join(tf.constant([["a", "b"], ["c", "d"]]), axis=1, keepdims=True),
        tf.strings.length(tf.constant(["añb", ""])),
        tf.strings.length(tf.constant(["añb", ""]), unit="UTF8_CHAR"),
        tf.strings.lower(tf.constant("AbC")),
        tf.strings.upper(tf.constant("AbC")),
        tf.strings.strip(tf.constant("  a b ")),
        tf.strings.to_number(tf.constant(["1.5", "-2"])),
        tf.strings.to_number(tf.constant(["7"]), tf.int64),
        tf.constant("a") + "b",
    ),
)
case(
    "format",
    lambda tf, x, n: (
        tf.strings.format("x {} n {}", (x, n)),
        tf.strings.format("{}", n, summarize=2),
        tf.strings.format("{}", tf.constant([["a", "b"]])),
        tf.strings.format("{}", tf.zeros([7, 2, 2])),
    ),
    wrt="",
    x=array([[1.5, 1 / 3, 1e-10], [123456789.0, 1e20, 0.1]]),
    n=integers(10),
)

# --- pooling, morphology, patches ----------------------------------------------------------------

IMAGE = normal(1, 6, 7, 2)


def _fractional(kind, **options):
    def pool(tf, x):
        tf.random.set_seed(21)
        return tuple(getattr(tf.nn, f"fractional_{kind}_pool")(x, **options))

    return pool


for kind in ("max", "avg"):
    for overlapping in (False, True):
        case(
            f"fractional_{kind}_pool_{'overlapping' if overlapping else 'plain'}",
            _fractional(kind, pooling_ratio=[1.0, 1.4, 1.7, 1.0], overlapping=overlapping, seed=7),
            x=IMAGE,
        )
case(
    "fractional_max_pool_pseudo_random",
    _fractional("max", pooling_ratio=[1.0, 1.44, 1.73, 1.0], pseudo_random=True, seed=3),
    x=normal(1, 10, 10, 1),
)
for padding in ("SAME", "VALID"):
    case(
        f"dilation2d_{padding}",
        call("nn.dilation2d", [1, 1, 2, 1], padding, "NHWC", [1, 2, 1, 1]),
        x=IMAGE,
        kernel=normal(2, 2, 2),
    )
    case(
        f"erosion2d_{padding}",
        call("nn.erosion2d", [1, 2, 1, 1], padding, "NHWC", [1, 1, 2, 1]),
        x=IMAGE,
        kernel=normal(2, 3, 2),
    )
    case(
        f"extract_volume_patches_{padding}",
        call("extract_volume_patches", [1, 2, 2, 1, 1], [1, 1, 2, 1, 1], padding),
        x=normal(1, 3, 4, 3, 2),
    )
    case(
        f"with_space_to_batch_{padding}",
        lambda tf, x, k, padding=padding: tf.nn.with_space_to_batch(
            x,
            [2, 2],
            padding,
            lambda x, n, p: tf.nn.conv2d(x, k, strides=1, padding=p),
            filter_shape=[2, 2],
        ),
        x=IMAGE,
        k=normal(2, 2, 2, 3),
    )
case(
    "conv",
    call("conv", [1, 1, 1, 1], "SAME", dilations=[1, 1, 1, 1]),
    wrt="",
    x=IMAGE,
    k=normal(2, 2, 2, 3),
)

# --- sequences -----------------------------------------------------------------------------------

LABELS = array([[1, 2, 2], [3, 1, 0]], "int32")
for blank in (0, -1):
    case(
        f"ctc_loss_sparse_blank_{blank}",
        lambda tf, x, blank=blank: tf.nn.ctc_loss(
            tf.sparse.from_dense([[1, 2, 2], [2, 1, 0]]), x, None, [7, 5], blank_index=blank
        ),
        x=normal(7, 2, 5),
    )
case(
    "ctc_loss_batch_major",
    lambda tf, x, labels: tf.nn.ctc_loss(
        labels, x, [3, 2], [7, 4], logits_time_major=False, blank_index=4
    ),
    x=normal(2, 7, 5),
    labels=LABELS,
)


def _parts(decoded):
    result, scores = decoded
    return [(s.indices, s.values, s.dense_shape) for s in result], scores


case(
    "ctc_greedy_decoder",
    lambda tf, x: (
        _parts(tf.nn.ctc_greedy_decoder(x, [6, 4])),
        _parts(tf.nn.ctc_greedy_decoder(x, [6, 4], merge_repeated=False, blank_index=0)),
    ),
    wrt="",
    x=normal(6, 2, 4),
)
for width in (2, 10):
    case(
        f"ctc_beam_search_decoder_{width}",
        lambda tf, x, width=width: _parts(
            tf.nn.ctc_beam_search_decoder(x, [6, 4], beam_width=width, top_paths=2)
        ),
        wrt="",
        x=normal(6, 2, 4, scale=2.0),
    )
case(
    "edit_distance",
    lambda tf: tf.edit_distance(
        tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 2, 3], [2, 2]),
        tf.SparseTensor([[0, 0], [0, 1], [0, 2], [2, 0]], [1, 3, 2, 4], [3, 3]),
    ),
)

# --- classes by sample ---------------------------------------------------------------------------

TABLE = normal(8, 3)
CLASSES = array([[1, 5], [0, 1]], "int64")


def _samplers(tf, true):
    tf.random.set_seed(11)
    result = []
    for _ in range(2):
        result += [
            tf.random.uniform_candidate_sampler(true, 2, 4, True, 8, seed=3),
            tf.random.log_uniform_candidate_sampler(true, 2, 4, False, 8, seed=3),
            tf.random.learned_unigram_candidate_sampler(true, 2, 4, True, 8, seed=3),
            tf.random.fixed_unigram_candidate_sampler(
                true, 2, 4, False, 8, unigrams=(1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0), seed=3
            ),
            tf.random.all_candidate_sampler(true, 2, 8, True, seed=3),
        ]
    return [tuple(each) for each in result]


def _sampled_softmax(tf, weights, biases, x, labels):
    tf.random.set_seed(5)
    return tf.nn.sampled_softmax_loss(weights, biases, labels, x, 4, 8, num_true=2, seed=9)


def _nce(tf, weights, biases, x, labels):
    tf.random.set_seed(6)
    given = tf.random.log_uniform_candidate_sampler(labels, 2, 4, True, 8, seed=1)
    return tf.nn.nce_loss(
        weights, biases, labels, x, 4, 8, 2, sampled_values=given, remove_accidental_hits=True
    )


case("candidate_samplers", _samplers, true=CLASSES)
case(
    "sampled_softmax_loss",
    _sampled_softmax,
    weights=TABLE,
    biases=normal(8),
    x=normal(2, 3),
    labels=CLASSES,
)
case(
    "nce_loss_sampled",
    _nce,
    weights=TABLE,
    biases=normal(8),
    x=normal(2, 3),
    labels=CLASSES,
)
case(
    "embedding_lookup_tables",
    lambda tf, a, b: tf.nn.embedding_lookup([a, b], [0, 3, 4, 1]),
    a=normal(3, 2),
    b=normal(2, 2),
)

# --- the rest ------------------------------------------------------------------------------------

case(
    "initializers",
    lambda tf: (
        tf.zeros_initializer()([2]),
        tf.ones_initializer()([2], tf.int32),
        tf.constant_initializer(3)([2]),
        tf.constant_initializer([1, 2, 3, 4])([2, 2], tf.float64),
    ),
)
case(
    "approx_min_k",
    lambda tf, x: tf.math.approx_min_k(x, 2),
    reference=lambda tf, x: [
        -tf.math.top_k(-x, 2).values,
        tf.math.top_k(-x, 2).indices,
    ],
    wrt="",
    x=normal(2, 6),
)


def _average(tf, x):
    variable = tf.Variable(x)
    average = tf.train.ExponentialMovingAverage(0.9, num_updates=20)
    average.apply([variable])
    variable.assign(x * 3.0)
    average.apply([variable])
    return average.average(variable).read_value()


case("moving_average", _average, wrt="", x=normal(3))
case(
    "wav",
    lambda tf, x: tuple(tf.audio.decode_wav(tf.audio.encode_wav(x, 8000), 3, 5)),
    wrt="",
    x=normal(4, 2, scale=0.5),
)
case(
    "raw_bytes",
    lambda tf: (
        tf.io.decode_raw(tf.constant([b"abcd", b"efgh"]), tf.uint16),
        tf.io.decode_raw(b"\x00\x01\x00\x02", tf.int16, little_endian=False),
        tf.io.encode_base64(tf.constant(["hi?>", ""]), pad=True),
        tf.io.decode_base64(tf.io.encode_base64(tf.constant("hello"))),
    ),
)
case(
    "compute_gradient",
    lambda tf, x, y: tf.test.compute_gradient(lambda a, b: a * tf.sin(b), [x, y])[0],
    wrt="",
    x=normal(2),
    y=positive(2),
)
case(
    "compat_v1",
    lambda tf, x: (
        tf.compat.v1.reduce_sum(x, reduction_indices=1, keep_dims=True),
        tf.compat.v1.argmax(x, dimension=0),
        tf.compat.v1.to_int32(x),
        tf.compat.v1.nn.softmax(x, dim=0),
        tf.compat.v1.expand_dims(x, dim=0),
        tf.compat.v1.squeeze(x[:1], squeeze_dims=[0]),
        tf.compat.v1.is_nan(x),
        tf.compat.v1.log(tf.compat.v1.squared_difference(x, 1.0) + 1.0),
        tf.compat.v1.transpose(x, [1, 0], "name"),
        tf.compat.v1.math.reduce_max(x, 0),
    ),
    x=normal(2, 3),
)
