"""Per-example gradients: mislabeled digits give themselves away.

A tenth of the labels is wrong. After a short training, `tf.per_example_gradients` computes the
gradient of the loss for every image by itself, in one batched pass; wrong labels pull the hardest.
"""

import numpy as np
from picture import run

import gradtape as tf
from gradtape.datasets import digits

WRONG = 60


def main():
    tf.random.set_seed(0)
    random = np.random.default_rng(0)
    (images, truth), _ = digits()
    x = tf.constant(images[:600].reshape(-1, 64).astype("float32") / 16)
    labels = truth[:600].astype("int32")
    planted = random.choice(600, WRONG, replace=False)
    labels[planted] = (labels[planted] + random.integers(1, 10, WRONG)) % 10
    y = tf.constant(labels)

    w = tf.Variable(tf.zeros((64, 10)), name="w")
    b = tf.Variable(tf.zeros(10), name="b")

    def loss(image, label):
        logits = tf.linalg.matvec(w, image, transpose_a=True) + b
        return tf.nn.sparse_softmax_cross_entropy_with_logits(label, logits)

    for _ in range(150):
        with tf.GradientTape() as tape:
            total = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, x @ w + b))
        for variable, gradient in zip((w, b), tape.gradient(total, (w, b)), strict=True):
            variable.assign_sub(1.0 * gradient)

    gradients = tf.per_example_gradients(loss, [w, b], x, y)
    norms = np.sqrt(sum(np.sum(g.numpy().reshape(600, -1) ** 2, 1) for g in gradients))
    suspects = np.argsort(-norms)[:WRONG]
    actual = len(set(suspects) & set(planted))
    print(f"of the {WRONG} largest gradients, {actual} belong to the {WRONG} wrong labels")
    right = np.setdiff1d(np.arange(600), planted)
    shown = [(images[i], labels[i]) for i in suspects[:12]]
    return {"found": actual, "wrong": norms[planted], "right": norms[right], "shown": shown}


def draw(figure, result):
    left, right = figure.subfigures(1, 2)
    axes = left.subplots()
    axes.hist([result["right"], result["wrong"]], 30, stacked=True, label=["right", "wrong"])
    axes.set(title="norms of gradients, by label", yscale="log")
    axes.legend()
    for cell, (image, label) in zip(right.subplots(3, 4).flat, result["shown"], strict=True):
        cell.imshow(image, cmap="gray_r")
        cell.set(xticks=[], yticks=[])
        cell.set_title(f"label {label}", fontsize=9)


if __name__ == "__main__":
    run(main, draw)
