"""A multilayer perceptron out of get_variable and variable_scope."""

import json

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
rs = np.random.RandomState(3)
X = rs.uniform(-1, 1, (64, 2)).astype("float32")
Y = (np.sin(3 * X[:, :1]) * X[:, 1:]).astype("float32")


def dense(name, n_in, n_out):
    with v1.variable_scope(name):
        init = v1.constant_initializer(rs.normal(scale=1 / np.sqrt(n_in), size=(n_in, n_out)))
        w = v1.get_variable("w", shape=[n_in, n_out], dtype=tf.float32, initializer=init)
        b = v1.get_variable("b", [n_out], initializer=v1.zeros_initializer())
    return w, b


params = []
with v1.variable_scope("net"):
    for i, (n_in, n_out) in enumerate([(2, 12), (12, 12), (12, 1)]):
        params.append(dense("layer%d" % i, n_in, n_out))
variables = [v for pair in params for v in pair]


def net(x):
    for w, b in params[:-1]:
        x = tf.nn.tanh(v1.nn.xw_plus_b(x, w, b))
    return v1.nn.xw_plus_b(x, *params[-1])


opt = v1.train.MomentumOptimizer(0.1, momentum=0.9, use_nesterov=True)
losses = []
for it in range(15):
    with tf.GradientTape() as t:
        l2 = v1.add_n([tf.nn.l2_loss(v) for v in variables if "w" in v.name])
        loss = v1.losses.mean_squared_error(Y, net(X)) + 1e-4 * l2
    gvs = zip(t.gradient(loss, variables), variables)
    gvs = [(tf.clip_by_norm(g, 1.0), v) for g, v in gvs]
    opt.apply_gradients(gvs)
    losses.append(float(loss))
print(
    json.dumps(
        {
            "losses": losses,
            "names": [v.name for v in variables],
            "slots": opt.get_slot_names(),
            "momentum": float(tf.norm(opt.get_slot(variables[0], "momentum"))),
        }
    )
)
