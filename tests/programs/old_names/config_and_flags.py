"""The top of a training script as it was: flags, logging, a session's configuration, tf.app.run."""

import json
import sys

import numpy as np
import tensorflow as tf

flags = tf.compat.v1.flags
flags.DEFINE_float("learning_rate", 0.2, "Initial learning rate.")
flags.DEFINE_integer("max_steps", 5, "Number of steps to run trainer.")
flags.DEFINE_boolean("verbose", False, "Print more.")
flags.DEFINE_string("optimizer", "adagrad", "Which optimizer.")
flags.DEFINE_list("hidden", ["4", "3"], "Sizes of layers.")
FLAGS = flags.FLAGS

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
config = tf.compat.v1.ConfigProto(allow_soft_placement=True, log_device_placement=False)
config.gpu_options.allow_growth = True
config.gpu_options.per_process_gpu_memory_fraction = 0.4

OPTIMIZERS = {
    "adagrad": tf.compat.v1.train.AdagradOptimizer,
    "adam": tf.compat.v1.train.AdamOptimizer,
    "adadelta": tf.compat.v1.train.AdadeltaOptimizer,
}


def train():
    data = np.linspace(-1, 1, 12, dtype=np.float32).reshape(6, 2)
    target = np.cos(data.sum(axis=1, keepdims=True))
    sizes = [2] + [int(n) for n in FLAGS.hidden] + [1]
    rng = np.random.RandomState(1)
    ws = [tf.Variable(rng.randn(a, b).astype("f")) for a, b in zip(sizes[:-1], sizes[1:])]

    def loss_fn():
        h = tf.convert_to_tensor(data)
        for w in ws[:-1]:
            h = tf.nn.elu(tf.matmul(h, w))
        return tf.reduce_mean(tf.math.squared_difference(tf.matmul(h, ws[-1]), target))

    opt = OPTIMIZERS[FLAGS.optimizer](FLAGS.learning_rate)
    out = []
    for i in range(FLAGS.max_steps):
        gvs = opt.compute_gradients(loss_fn, ws)
        opt.apply_gradients([(g, v) for g, v in gvs if g is not None])
        out.append(float(loss_fn()))
        if FLAGS.verbose:
            tf.compat.v1.logging.info("step %d", i)
    return out


def main(_):
    tf.compat.v1.logging.info("starting")
    losses = train()
    growth = config.gpu_options.allow_growth
    print(json.dumps({"losses": losses, "growth": growth, "optimizer": FLAGS.optimizer}))


if __name__ == "__main__":
    tf.compat.v1.app.run(main=main, argv=[sys.argv[0], "--max_steps=7", "--noverbose"])
