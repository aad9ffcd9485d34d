"""`tf.compat.v1`, as far as TensorFlow 2 runs it eagerly: optimizers, losses, learning rates."""

from __future__ import annotations

from ..case import CaseList
from ..inputs import array, integers, normal, uniform

case = CaseList()

STEPS = 3
OPTIMIZERS = {
    "descent": lambda train: train.GradientDescentOptimizer(0.1),
    "descent_rate_function": lambda train: train.GradientDescentOptimizer(lambda: 0.2),
    "momentum": lambda train: train.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda train: train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda train: train.AdamOptimizer(0.1),
    "adam_settings": lambda train: train.AdamOptimizer(0.1, 0.8, 0.99, 0.1),
    "rmsprop": lambda train: train.RMSPropOptimizer(0.1),
    "rmsprop_momentum": lambda train: train.RMSPropOptimizer(0.1, 0.8, 0.5),
    "rmsprop_centered": lambda train: train.RMSPropOptimizer(0.1, centered=True),
    "adagrad": lambda train: train.AdagradOptimizer(0.1),
    "adadelta": lambda train: train.AdadeltaOptimizer(0.5),
    "ftrl": lambda train: train.FtrlOptimizer(0.1),
    "ftrl_settings": lambda train: train.FtrlOptimizer(
        0.2,
        -0.7,
        0.3,
        l1_regularization_strength=0.5,
        l2_regularization_strength=0.2,
        l2_shrinkage_regularization_strength=0.1,
        beta=0.4,
    ),
}


def _minimize(tf, v, make):
    optimizer = make(tf.compat.v1.train)
    step = tf.Variable(0)
    for _ in range(STEPS):
        optimizer.minimize(lambda: tf.reduce_sum(v**3 + v), global_step=step, var_list=[v])
    slots = [optimizer.get_slot(v, name) for name in optimizer.get_slot_names()]
    return v.read_value(), step.read_value(), [slot.read_value() for slot in slots]


def _sparse(tf, v, make):
    optimizer = make(tf.compat.v1.train)
    for rows in ([0, 2, 2], [1, 2], [0]):
        gradient = tf.IndexedSlices(tf.ones([len(rows), 2]) * 0.5, rows, [4, 2])
        optimizer.apply_gradients([(gradient, v)])
    return v.read_value()


for name, make in OPTIMIZERS.items():
    case(name, lambda tf, v, m=make: _minimize(tf, v, m), wrt="", variables="v", v=normal(3))
    case(
        f"{name}_sparse", lambda tf, v, m=make: _sparse(tf, v, m), wrt="", variables="v",
        v=normal(4, 2),
    )  # fmt: skip

LOSSES = {
    "absolute_difference": {},
    "mean_squared_error": {},
    "log_loss": {"epsilon": 0.01},
    "huber_loss": {"delta": 0.3},
    "hinge_loss": {},
    "cosine_distance": {"axis": 1},
    "sigmoid_cross_entropy": {"label_smoothing": 0.1},
    "softmax_cross_entropy": {"label_smoothing": 0.1},
}
for name, options in LOSSES.items():
    for reduction in ("", "none", "weighted_mean", "weighted_sum"):
        chosen = {**options, "reduction": reduction} if reduction else options
        case(
            f"{name}_{reduction or 'default'}",
            lambda tf, labels, x, w, n=name, o=chosen: getattr(tf.compat.v1.losses, n)(
                labels, x, weights=w, **o
            ),
            wrt="x",
            labels=uniform(3, 2),
            x=uniform(3, 2),
            w=array([0.5, 0.0, 2.0])
            if name in ("softmax_cross_entropy",)
            else array([[0.5], [0.0], [2.0]]),
        )
case(
    "sparse_softmax_cross_entropy",
    lambda tf, labels, x: tf.compat.v1.losses.sparse_softmax_cross_entropy(labels, x),
    wrt="x",
    labels=integers(3, high=4),
    x=normal(3, 4),
)
case(
    "losses_in_place",
    lambda tf, labels, x: [
        tf.compat.v1.losses.huber_loss(labels, x, 2.0, 0.5),
        tf.compat.v1.losses.log_loss(labels, x, 1.0, 0.1),
        tf.compat.v1.losses.mean_squared_error(labels, x, 2.0, None, None, "none"),
    ],
    wrt="x",
    labels=uniform(3),
    x=uniform(3),
)

DECAYS = {
    "exponential": lambda train, s: train.exponential_decay(0.1, s, 4, 0.5),
    "exponential_staircase": lambda train, s: train.exponential_decay(0.1, s, 4, 0.5, True),
    "natural_exp": lambda train, s: train.natural_exp_decay(0.1, s, 4, 0.5),
    "inverse_time": lambda train, s: train.inverse_time_decay(0.1, s, 4, 0.5),
    "polynomial": lambda train, s: train.polynomial_decay(0.1, s, 8, 0.01, 2.0),
    "polynomial_cycle": lambda train, s: train.polynomial_decay(0.1, s, 5, cycle=True),
    "cosine": lambda train, s: train.cosine_decay(0.1, s, 8, 0.1),
    "piecewise": lambda train, s: train.piecewise_constant(s, [3, 7], [1.0, 0.5, 0.1]),
}
for name, decay in DECAYS.items():
    case(
        f"decay_{name}",
        lambda tf, d=decay: [d(tf.compat.v1.train, s)() for s in (0, 3, 7, 11)],
    )


def _scopes(tf):
    v1 = tf.compat.v1
    with v1.variable_scope("outer", initializer=tf.ones_initializer()):
        first = v1.get_variable("w", [2])
        with v1.variable_scope("inner", dtype=tf.float64):
            second = v1.get_variable("w", [3])
            third = v1.get_variable("n", [2], dtype=tf.int32, initializer=tf.zeros_initializer())
    fourth = v1.get_variable("c", initializer=3.0, trainable=False)
    made = (first, second, third, fourth)
    return [v.read_value() for v in made], [v.name for v in made], [v.trainable for v in made]


case("get_variable", _scopes)
case(
    "old_functions",
    lambda tf, x: [
        tf.compat.v1.arg_max(x, 1),
        tf.compat.v1.nn.xw_plus_b(x, [[1.0], [2.0], [3.0]], [0.5]),
        tf.compat.v1.spectral.rfft(x),
        tf.compat.v1.manip.roll(x, 1, 0),
        tf.compat.v1.to_double(x),
    ],
    wrt="",
    x=normal(2, 3),
)
case(
    "scatter_functions",
    lambda tf, v: [
        tf.identity(tf.compat.v1.scatter_update(v, [0], [5.0])),
        tf.identity(tf.compat.v1.scatter_add(v, [0, 0], [1.0, 2.0])),
        tf.identity(tf.compat.v1.scatter_mul(v, [1], [3.0])),
    ],
    wrt="",
    variables="v",
    v=normal(3),
)
