"""Names of the surface that no other subject holds."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import distinct, integers, normal

case = CaseList()

# --- top level

case("approx_top_k", lambda tf, x: tuple(tf.approx_top_k(x, 3)), x=distinct(8))
RAW_FFTS = {
    "fftnd": ("fft2d", normal(2, 4, dtype="complex64")),
    "ifftnd": ("ifft2d", normal(2, 4, dtype="complex64")),
    "rfftnd": ("rfft2d", normal(2, 4)),
    "irfftnd": ("irfft2d", normal(2, 3, dtype="complex64")),
}
# TensorFlow has these ops without kernels for the CPU: references say the same in other words.
for name, (known, given) in RAW_FFTS.items():
    case(
        name,
        lambda tf, x, name=name: getattr(tf, name)(x, [2, 4], [0, 1]),
        reference=lambda tf, x, known=known: getattr(tf.signal, known)(x),
        x=given,
    )
case(
    "conv2d_backprop_input_v2",
    lambda tf, x, filters, g: tf.conv2d_backprop_input_v2(x, filters, g, [1, 1, 1, 1], "SAME"),
    reference=lambda tf, x, filters, g: tf.raw_ops.Conv2DBackpropInput(
        input_sizes=tf.shape(x),
        filter=filters,
        out_backprop=g,
        strides=[1, 1, 1, 1],
        padding="SAME",
    ),
    wrt="filters g",
    x=normal(1, 4, 4, 2),
    filters=normal(3, 3, 2, 3),
    g=normal(1, 4, 4, 3),
)
case(
    "conv2d_backprop_filter_v2",
    lambda tf, x, filters, g: tf.conv2d_backprop_filter_v2(x, filters, g, [1, 2, 2, 1], "VALID"),
    reference=lambda tf, x, filters, g: tf.raw_ops.Conv2DBackpropFilter(
        input=x,
        filter_sizes=tf.shape(filters),
        out_backprop=g,
        strides=[1, 2, 2, 1],
        padding="VALID",
    ),
    wrt="x g",
    x=normal(1, 5, 5, 2),
    filters=normal(3, 3, 2, 3),
    g=normal(1, 2, 2, 3),
)
case("guarantee_const", call("guarantee_const"), wrt="", x=normal(3))
case(
    "parallel_stack",
    lambda tf, x, y: tf.parallel_stack([x, y]),
    reference=lambda tf, x, y: tf.stack([x, y]),
    x=normal(2),
    y=normal(2),
)
case(
    "random_index_shuffle",
    lambda tf, i: tf.random_index_shuffle(i, [1, 2, 3], 99),
    i=integers(6, high=99, dtype="int64"),
)
case(
    "type_spec_from_value",
    lambda tf, x: [
        tf.type_spec_from_value(x).dtype.name,
        list(tf.type_spec_from_value(x).shape),
    ],
    wrt="",
    x=normal(2, 3),
)
case("timestamp", lambda tf: [tf.timestamp().dtype.name, bool(tf.timestamp() > 1e9)])


class Celsius:
    """Something that only a registered function makes a tensor of."""

    def __init__(self, degrees):
        self.degrees = degrees


def converted(tf, x):
    tf.register_tensor_conversion_function(
        Celsius, lambda value, dtype=None, name=None, as_ref=False: tf.constant(value.degrees)
    )
    return x + tf.convert_to_tensor(Celsius(2.5))


case("register_tensor_conversion_function", converted, x=normal(2))

# --- generators


def drawn_globally(tf):
    before = tf.random.get_global_generator()
    try:
        tf.random.set_global_generator(tf.random.Generator.from_seed(7))
        return [
            tf.random.get_global_generator().uniform([3]),
            tf.random.get_global_generator().state,
        ]
    finally:
        tf.random.set_global_generator(before)


case("set_global_generator", drawn_globally, exact=True)
for algorithm in ("philox", "threefry"):
    case(
        f"create_rng_state_{algorithm}",
        lambda tf, algorithm=algorithm: tf.random.create_rng_state(5, algorithm),
    )

# --- debugging


def traceback_filtering(tf):
    before = tf.debugging.is_traceback_filtering_enabled()
    tf.debugging.disable_traceback_filtering()
    off = tf.debugging.is_traceback_filtering_enabled()
    tf.debugging.enable_traceback_filtering()
    return [before, off, tf.debugging.is_traceback_filtering_enabled()]


case("traceback_filtering", traceback_filtering)


def device_placement(tf):
    tf.debugging.set_log_device_placement(False)
    return tf.debugging.get_log_device_placement()


case("log_device_placement", device_placement)


def checked(tf, x):
    """What passes and what is refused while numbers are checked."""
    tf.debugging.enable_check_numerics()
    try:
        result = tf.sqrt(x)
        try:
            tf.math.log(tf.constant([-1.0, 0.0]))
        except tf.errors.InvalidArgumentError as error:
            text = str(error).lower()
            return [result, "log" in text, "nan" in text]
    finally:
        tf.debugging.disable_check_numerics()
    return [result]


case("check_numerics_everywhere", checked, x=normal(3, shift=9.0))
