"""Style transfer in small: an image gets the texture of another one.

Style is the correlations between features (Gram matrices), content the features themselves. Real
style transfer takes the features of a trained network; here they are random filters, which know
enough about edges and colors. The gradient is by the pixels, the weights stay as they are.
"""

import numpy as np
from picture import run

import gradtape as tf

SIZE, STEPS = 32, 150


def stripes():
    y, x = np.mgrid[:SIZE, :SIZE]
    wave = 0.5 + 0.5 * np.sin((x + y) * 0.9)
    return np.stack([wave, 0.4 * wave, 1 - wave], -1).astype("float32")[None]


def disk():
    y, x = np.mgrid[:SIZE, :SIZE] - (SIZE - 1) / 2
    inside = (x**2 + y**2 < 100).astype("float32")
    return np.stack([inside, inside, inside], -1)[None] * 0.8 + 0.1


def main():
    tf.random.set_seed(2)
    filters = [
        tf.random.normal((5, 5, 3, 24), stddev=0.2),
        tf.random.normal((3, 3, 24, 32), stddev=0.1),
    ]

    def features(image):
        first = tf.nn.relu(tf.nn.conv2d(image - 0.5, filters[0], 1, "SAME"))
        pooled = tf.nn.avg_pool2d(first, 2, 2, "VALID")
        return [first, tf.nn.relu(tf.nn.conv2d(pooled, filters[1], 1, "SAME"))]

    def gram(x):
        rows = tf.reshape(x, (-1, x.shape[-1]))
        return tf.matmul(rows, rows, transpose_a=True) / len(rows)

    style, content = stripes(), disk()
    wanted = [gram(x) for x in features(style)]
    kept = features(content)[1]

    def loss_of(image):
        actual = features(image)
        texture = sum(
            tf.reduce_mean((gram(x) - y) ** 2) / tf.reduce_mean(y**2)
            for x, y in zip(actual, wanted, strict=True)
        )
        return texture + 0.1 * tf.reduce_mean((actual[1] - kept) ** 2) / tf.reduce_mean(kept**2)

    image = tf.Variable(content)
    optimizer = tf.keras.optimizers.Adam(0.03)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = loss_of(image)
        optimizer.apply_gradients([(tape.gradient(loss, image), image)])
        image.assign(tf.clip_by_value(image, 0.0, 1.0))
        return loss

    losses = [float(step()) for _ in range(STEPS)]
    print(f"distance of style and content: {losses[0]:.3f} → {losses[-1]:.4f}")
    return {"losses": losses, "content": content[0], "style": style[0], "result": image.numpy()[0]}


def draw(figure, result):
    for axes, name in zip(figure.subplots(1, 3), ("content", "style", "result"), strict=True):
        axes.imshow(result[name])
        axes.set(title=name, xticks=[], yticks=[])


if __name__ == "__main__":
    run(main, draw)
