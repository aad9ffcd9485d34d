"""Programs whose gradient is None. Each gives a tape, a target, and the source to ask about."""

import numpy as np

import gradtape as tf
from tests.explain.gallery import Gallery

PROGRAMS = Gallery()
broken = PROGRAMS.broken

# --- ops without a derivative, and dtypes without one --------------------------------------------


@broken("dtype", "passes through the dtype int32")
def cast_to_int():
    x = tf.Variable(3.7)
    with tf.GradientTape() as tape:
        steps = tf.cast(x * 2.0, tf.int32)  # HERE
        loss = tf.cast(steps, tf.float32) * 1.5
    return tape, loss, x


@broken("dtype", "passes through the dtype bool")
def cast_to_bool():
    x = tf.Variable([0.0, 2.0])
    with tf.GradientTape() as tape:
        mask = tf.cast(x, tf.bool)  # HERE
        loss = tf.reduce_sum(tf.cast(mask, tf.float32))
    return tape, loss, x


@broken("dtype", "passes through the dtype string")
def through_text():
    x = tf.Variable(3.5)
    with tf.GradientTape() as tape:
        text = tf.strings.as_string(x * 2.0)  # HERE
        loss = tf.strings.to_number(text) * 2.0
    return tape, loss, x


@broken("no_derivative", "passes through `argmax`")
def argmax_in_the_path():
    w = tf.Variable(tf.ones([4, 3]))
    with tf.GradientTape() as tape:
        logits = tf.ones([2, 4]) @ w
        chosen = tf.argmax(logits, axis=-1)  # HERE
        loss = tf.reduce_mean(tf.cast(chosen, tf.float32))
    return tape, loss, w


@broken("no_derivative", "passes through `round`")
def rounding():
    x = tf.Variable([0.4, 1.6])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.round(x) * 2.0)  # HERE
    return tape, loss, x


@broken("no_derivative", "passes through `equal`")
def accuracy_as_loss():
    x = tf.Variable([0.2, 0.9])
    with tf.GradientTape() as tape:
        hits = tf.equal(x, [0.2, 1.0])  # HERE
        loss = 1.0 - tf.reduce_mean(tf.cast(hits, tf.float32))
    return tape, loss, x


@broken("no_derivative", "passes through `greater`")
def only_the_condition_depends():
    x = tf.Variable([-1.0, 2.0])
    with tf.GradientTape() as tape:
        positive = x > 0.0  # HERE
        loss = tf.reduce_sum(tf.where(positive, 1.0, 0.0))
    return tape, loss, x


@broken("no_derivative", "no derivative by its argument `a`")
def an_argument_without_derivative():
    a = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        p = tf.math.betainc(a * 1.0, 3.0, 0.5)  # HERE
        loss = p * p
    return tape, loss, a


@broken("no_derivative", "passes through `random_categorical`")
def sampled_in_the_path():
    logits = tf.Variable([[0.1, 0.9]])
    with tf.GradientTape() as tape:
        drawn = tf.random.categorical(logits * 2.0, 4)  # HERE
        loss = tf.reduce_sum(tf.cast(drawn, tf.float32))
    return tape, loss, logits


@broken("no_derivative", "passes through `floor`")
def floor_in_a_function():
    def quantize(values):
        return tf.floor(values * 8.0) / 8.0  # HERE

    x = tf.Variable([0.3, 0.7])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(quantize(x) ** 2)
    return tape, loss, x


@broken("stop_gradient", "stop_gradient cuts the path")
def stop_gradient_in_the_path():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.stop_gradient(x * x)  # HERE
        loss = y + 1.0
    return tape, loss, x


@broken("source_dtype", "it has the dtype int32")
def integer_source():
    x = tf.Variable(3)
    with tf.GradientTape() as tape:
        loss = x * x
    return tape, loss, x


@broken("source_dtype", "it has the dtype int32", needs_tracking=True)
def integer_constant_source():
    x = tf.constant([1, 2, 3])  # HERE
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(tf.cast(x, tf.float32))
    return tape, loss, x


# --- leaving the engine --------------------------------------------------------------------------


@broken("left_engine", "left the engine by .numpy()")
def loss_in_numpy():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = w * 3.0
        error = np.mean((y.numpy() - 1.0) ** 2)  # HERE
        loss = tf.constant(error, tf.float32) * 1.0
    return tape, loss, w


@broken("left_engine", "left the engine by float()")
def python_float():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = float(x * x)  # HERE
        loss = tf.constant(y) + 1.0
    return tape, loss, x


@broken("left_engine", "left the engine by a NumPy function")
def numpy_function_on_a_tensor():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = np.asarray(x * 2.0)  # HERE
        loss = tf.reduce_sum(tf.convert_to_tensor(y))
    return tape, loss, x


@broken("left_engine", "the target is a NumPy value")
def target_is_an_array():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x * 2.0
        loss = np.sum(y.numpy())  # HERE
    return tape, loss, x


@broken("left_engine", "left the engine by predict()")
def predicted_by_keras():
    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
    with tf.GradientTape() as tape:
        predicted = model.predict(np.ones((1, 2)), verbose=0)  # HERE
        loss = tf.reduce_sum(predicted)
    return tape, loss, model.trainable_variables[0]


@broken("left_engine", "left the engine by .numpy()")
def variable_read_by_numpy():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.constant(x.numpy())  # HERE
        loss = tf.reduce_sum(y * y)
    return tape, loss, x


@broken("left_engine", "left the engine by .numpy()", needs_tracking=True)
def read_by_numpy_before_the_tape():
    x = tf.Variable([1.0, 2.0])
    start = x.numpy()  # HERE
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.constant(start) ** 2)
    return tape, loss, x


@broken("new_variable", "copied into a new tf.Variable")
def variable_made_inside_the_tape():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.Variable(x * 3.0)  # HERE
        loss = y * y
    return tape, loss, x


@broken("assigned", "written into a variable by .assign()")
def assign_in_the_loop():
    x, state = tf.Variable(0.5), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        for _ in range(3):
            state.assign(state * 0.9 + x)  # HERE
        loss = state * state
    return tape, loss, x


@broken("assigned", "written into a variable by .assign_add()")
def assign_add_as_a_sum():
    x, total = tf.Variable(0.5), tf.Variable(0.0, trainable=False)
    with tf.GradientTape() as tape:
        total.assign_add(x * 2.0)  # HERE
        loss = total + 1.0
    return tape, loss, x


# --- not watched ---------------------------------------------------------------------------------


@broken("not_watched", "a tensor that the tape does not watch", needs_tracking=True)
def tensor_not_watched():
    x = tf.constant([1.0, 2.0])  # HERE
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(x * x)
    return tape, loss, x


@broken("not_trainable", "the variable is not trainable", needs_tracking=True)
def frozen_variable():
    x = tf.Variable(2.0, trainable=False)  # HERE
    with tf.GradientTape() as tape:
        loss = x * x
    return tape, loss, x


@broken("not_trainable", "the variable is not trainable")
def frozen_layer():
    layer = tf.keras.layers.Dense(3)
    layer.build((2, 4))
    layer.trainable = False
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.ones([2, 4])))
    return tape, loss, layer.kernel


@broken("not_watched", "watch_accessed_variables=False")
def tape_that_watches_nothing():
    x = tf.Variable(2.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        loss = x * x
    return tape, loss, x


@broken("other_object", "another one with the same name")
def wrong_model_object():
    def build():
        tf.keras.backend.clear_session()
        made = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1, name="out")])
        return made, made.trainable_variables[0]

    model, _ = build()
    _, kernel = build()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.ones([2, 4])))
    return tape, loss, kernel


@broken("unused", "nothing was computed from it after that", needs_tracking=True)
def watched_too_late():
    x = tf.constant(2.0)  # HERE
    with tf.GradientTape() as tape:
        loss = x * x
        tape.watch(x)
    return tape, loss, x


@broken("replaced", "replaced by a tensor")
def variable_replaced_by_a_tensor():
    x = tf.Variable(1.0)
    x = x + 1.0  # HERE
    with tf.GradientTape() as tape:
        loss = x * x
    return tape, loss, x


@broken("replaced", "replaced by a tensor")
def hand_written_step():
    w = tf.Variable(1.0)
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = (w - 3.0) ** 2
        if isinstance(w, tf.Variable):
            w = w - 0.1 * tape.gradient(loss, w)  # HERE
    return tape, loss, w


@broken("replaced", "computed from the variable itself")
def name_changed_inside_the_tape():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        loss = x * 2.0
        x = x + 1.0  # HERE
    return tape, loss, x


# --- outside, paused, reset ----------------------------------------------------------------------


@broken("outside", "made outside the tape", needs_tracking=True)
def made_before_the_tape():
    x, other = tf.Variable(2.0), tf.Variable(1.0)
    y = x * x  # HERE
    with tf.GradientTape() as tape:
        tape.watch([x, other])
        loss = y * 3.0
    return tape, loss, x


@broken("outside", "computed before or outside the tape", needs_tracking=True)
def loss_after_the_block():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    print(y.numpy())
    loss = y + 1.0  # HERE
    return tape, loss, x


@broken("another_tape", "another tape has recorded the target", needs_tracking=True)
def name_given_to_a_second_tape():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = x * x  # HERE
    with tf.GradientTape() as tape:
        penalty = x * 3.0
    print(penalty.numpy())
    return tape, loss, x


@broken("not_read", "not used while the tape was recording", needs_tracking=True)
def nothing_inside_the_block():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        pass
    loss = x * x  # HERE
    return tape, loss, x


@broken("paused", "recording was paused")
def paused_in_the_middle():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
        with tape.stop_recording():
            z = y * 2.0  # HERE
        loss = z + 1.0
    return tape, loss, x


@broken("paused", "recording was paused")
def read_only_while_paused():
    x, other = tf.Variable(2.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        with tape.stop_recording():
            y = x * x  # HERE
        loss = y * other
    return tape, loss, x


@broken("reset", "tape.reset() made the tape forget")
def reset_in_between():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.reset()  # HERE
        loss = y + 1.0
    return tape, loss, x


# --- simply not connected ------------------------------------------------------------------------


@broken("not_connected", "the target does not depend on it")
def wrong_loss():
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        first = x * x
        loss = y * y
        total = first + loss  # HERE
        total * 1.0
    return tape, loss, x


@broken("custom_gradient", "tf.custom_gradient on the way gave None")
def custom_gradient_without_one():
    @tf.custom_gradient
    def scaled(values, factor):
        return values * factor, lambda upstream: (upstream * factor, None)

    x, factor = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = scaled(x * 1.0, factor * 1.0)  # HERE
    return tape, loss, factor
