"""Training that is interrupted: a checkpoint manager, a fresh start from files, the same end."""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
x = tf.constant(rng.normal(size=(40, 5)), tf.float32)
y = tf.constant(x.numpy() @ rng.normal(size=(5, 2)) + 0.1, tf.float32)


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [
            tf.Variable(np.full((5, 6), 0.1) + 0.02 * np.arange(6), dtype=tf.float32),
            tf.Variable(np.full((6, 2), 0.2) - 0.05 * np.arange(2), dtype=tf.float32),
        ]
        self.bias = tf.Variable(tf.zeros([2]), name="bias")

    def __call__(self, x):
        return tf.tanh(x @ self.layers[0]) @ self.layers[1] + self.bias


class Momentum(tf.Module):
    def __init__(self, variables):
        super().__init__()
        self.slots = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]

    def apply(self, gradients, variables):
        for m, g, v in zip(self.slots, gradients, variables):
            m.assign(0.9 * m + g)
            v.assign_sub(0.05 * m)


def build():
    net = Net()
    optimizer = Momentum(net.trainable_variables)
    checkpoint = tf.train.Checkpoint(step=tf.Variable(0), optimizer=optimizer, net=net)
    return net, optimizer, checkpoint


def train(net, optimizer, checkpoint, steps):
    losses = []
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(x) - y))
        variables = net.trainable_variables
        optimizer.apply(tape.gradient(loss, variables), variables)
        checkpoint.step.assign_add(1)
        losses.append(loss.numpy().item())
    return losses


straight = train(*build(), steps=9)
with tempfile.TemporaryDirectory() as folder:
    net, optimizer, checkpoint = build()
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    first = []
    for _ in range(3):
        first += train(net, optimizer, checkpoint, steps=2)
        path = manager.save()
    kept = [os.path.basename(p) for p in manager.checkpoints]

    net, optimizer, checkpoint = build()
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    status = checkpoint.restore(manager.latest_checkpoint)
    status.assert_existing_objects_matched()
    resumed_at = int(checkpoint.step)
    second = train(net, optimizer, checkpoint, steps=3)

    only_bias = tf.Variable(tf.ones([2]))
    partial = tf.train.Checkpoint(net=tf.train.Checkpoint(bias=only_bias))
    partial.restore(tf.train.latest_checkpoint(folder)).expect_partial()
print(
    json.dumps(
        {
            "straight": straight,
            "resumed_at": resumed_at,
            "kept": kept,
            "same": first + second == straight,
            "bias": only_bias.numpy().tolist(),
        }
    )
)
