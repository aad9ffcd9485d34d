"""Digits learned on all devices of the machine, by the training loop of TensorFlow's guide.

With `import tensorflow as tf` it runs the same. On a machine without GPUs, try it on several
devices of the CPU, or in several processes:

    XLA_FLAGS=--xla_force_host_platform_device_count=4 python examples/distributed_training.py
    gradtape launch -n 2 examples/distributed_training.py
"""

import os

import gradtape as tf
from gradtape.datasets import digits


def make_strategy():
    several = "TF_CONFIG" in os.environ
    kind = tf.distribute.MultiWorkerMirroredStrategy if several else tf.distribute.MirroredStrategy
    return kind()


def make_model():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            tf.keras.Input((8, 8, 1)),
            layers.Conv2D(16, 3, padding="same", activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(64, activation="relu"),
            layers.Dense(10),
        ]
    )


def main(epochs=4, batch_size=128):
    tf.keras.utils.set_random_seed(0)
    strategy = make_strategy()
    print(f"{strategy.num_replicas_in_sync} replicas")
    (x, y), (x_test, y_test) = digits()
    x, x_test = (images[..., None].astype("float32") / 16 for images in (x, x_test))
    train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x), seed=0).batch(batch_size)
    train = strategy.experimental_distribute_dataset(train)

    with strategy.scope():
        model = make_model()
        optimizer = tf.keras.optimizers.Adam(0.005)
        loss_object = tf.keras.losses.SparseCategoricalCrossentropy(
            from_logits=True, reduction="none"
        )
        accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    def train_step(images, labels):
        with tf.GradientTape() as tape:
            logits = model(images, training=True)
            loss = tf.nn.compute_average_loss(
                loss_object(labels, logits), global_batch_size=batch_size
            )
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        accuracy.update_state(labels, logits)
        return loss

    @tf.function
    def distributed_train_step(images, labels):
        losses = strategy.run(train_step, args=(images, labels))
        return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    for epoch in range(epochs):
        losses = [distributed_train_step(*batch) for batch in train]
        mean = float(tf.add_n(losses)) / len(losses)
        print(f"epoch {epoch + 1}: loss {mean:.3f}, accuracy {float(accuracy.result()):.3f}")
        accuracy.reset_state()

    logits = model(x_test)
    actual = tf.reduce_mean(tf.cast(tf.argmax(logits, 1) == y_test, tf.float32))
    print(f"accuracy on the test set: {float(actual):.3f}")
    return float(actual)


if __name__ == "__main__":
    main()
