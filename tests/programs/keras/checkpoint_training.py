"""The guide to training checkpoints: a model, its optimizer and a dataset iterator, restored."""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)


class Net(tf.keras.Model):
    """A simple linear model."""

    def __init__(self):
        super().__init__()
        self.l1 = tf.keras.layers.Dense(5)

    def call(self, x):
        return self.l1(x)


def toy_dataset():
    inputs = tf.range(10.0)[:, None]
    labels = inputs * 5.0 + tf.range(5.0)[None, :]
    return tf.data.Dataset.from_tensor_slices({"x": inputs, "y": labels}).repeat().batch(2)


def train_step(net, example, optimizer):
    with tf.GradientTape() as tape:
        output = net(example["x"])
        loss = tf.reduce_mean(tf.abs(output - example["y"]))
    variables = net.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


def train(folder, steps):
    net, opt = Net(), tf.keras.optimizers.Adam(0.1)
    net(tf.zeros([1, 1]))
    net.l1.kernel.assign(tf.ones([1, 5]))
    iterator = iter(toy_dataset())
    ckpt = tf.train.Checkpoint(step=tf.Variable(1), optimizer=opt, net=net, iterator=iterator)
    manager = tf.train.CheckpointManager(ckpt, folder, max_to_keep=3)
    ckpt.restore(manager.latest_checkpoint)
    restored = bool(manager.latest_checkpoint)
    losses = []
    for _ in range(steps):
        losses.append(float(train_step(net, next(iterator), opt)))
        ckpt.step.assign_add(1)
        if int(ckpt.step) % 4 == 0:
            manager.save()
    names = sorted(os.path.basename(path) for path in manager.checkpoints)
    return restored, int(ckpt.step), losses, names


with tempfile.TemporaryDirectory() as folder:
    first = train(folder, 11)
    second = train(folder, 6)
with tempfile.TemporaryDirectory() as folder:
    tf.keras.utils.set_random_seed(1)
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3, "relu")])
    path = os.path.join(folder, "model.weights.h5")
    model.save_weights(path)
    before = model(tf.ones([1, 4])).numpy()
    model.set_weights([np.zeros_like(w) for w in model.get_weights()])
    model.load_weights(path)
    same = bool(np.array_equal(before, model(tf.ones([1, 4])).numpy()))
print(json.dumps({"first": first, "second": second, "weights": before.tolist(), "same": same}))
