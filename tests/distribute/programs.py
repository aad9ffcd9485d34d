"""Programs as people write them for `tf.distribute`, of which the numbers are compared.

Each is a function of the module `tf` (TensorFlow or gradtape) and a strategy, and gives a dict of
numbers. `record.py` writes down what TensorFlow gives.
"""

from __future__ import annotations

import numpy as np


def weights(shapes, seed: int = 2) -> list[np.ndarray]:
    """The same numbers for the variables of a model, whoever makes it."""
    draw = np.random.default_rng(seed)
    return [(0.3 * draw.standard_normal(shape)).astype(np.float32) for shape in shapes]


def set_weights(model) -> None:
    model.set_weights(weights([tuple(v.shape) for v in model.weights]))


def sums(model) -> list[float]:
    """A number for each variable of a model that changes with any of its elements."""
    return [
        float(np.sum(np.abs(v) * np.arange(1, 1 + v.size).reshape(v.shape) / v.size))
        for v in map(np.asarray, model.get_weights())
    ]


def images(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    return draw.random((count, 8, 8, 1), np.float32), draw.integers(0, 5, count)


def rows(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    return (
        draw.standard_normal((count, 3)).astype(np.float32),
        draw.standard_normal((count, 1)).astype(np.float32),
    )


# --- the loop of TensorFlow's guide --------------------------------------------------------------


def custom_loop(tf, strategy) -> dict:
    """Training by a loop of its own, with a loss for each replica and metrics."""
    batch_size = 16
    train = tf.data.Dataset.from_tensor_slices(images(64)).batch(batch_size)
    test = tf.data.Dataset.from_tensor_slices(images(20, seed=1)).batch(batch_size)
    train_dist = strategy.experimental_distribute_dataset(train)
    test_dist = strategy.experimental_distribute_dataset(test)

    with strategy.scope():
        loss_object = tf.keras.losses.SparseCategoricalCrossentropy(
            from_logits=True, reduction="none"
        )

        def compute_loss(labels, predictions, model_losses):
            per_example_loss = loss_object(labels, predictions)
            loss = tf.nn.compute_average_loss(per_example_loss, global_batch_size=batch_size)
            return loss + tf.nn.scale_regularization_loss(tf.add_n(model_losses))

        test_loss = tf.keras.metrics.Mean(name="test_loss")
        train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="train_accuracy")
        model = tf.keras.Sequential(
            [
                tf.keras.layers.Conv2D(
                    4, 3, activation="relu", kernel_regularizer=tf.keras.regularizers.L2(1e-3)
                ),
                tf.keras.layers.MaxPooling2D(),
                tf.keras.layers.Flatten(),
                tf.keras.layers.Dense(5),
            ]
        )
        model.build((None, 8, 8, 1))
        set_weights(model)
        optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
        optimizer.build(model.trainable_variables)

    def train_step(inputs):
        x, labels = inputs
        with tf.GradientTape() as tape:
            predictions = model(x, training=True)
            loss = compute_loss(labels, predictions, model.losses)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        train_accuracy.update_state(labels, predictions)
        return loss

    def test_step(inputs):
        x, labels = inputs
        test_loss.update_state(loss_object(labels, model(x, training=False)))

    @tf.function
    def distributed_train_step(dataset_inputs):
        per_replica_losses = strategy.run(train_step, args=(dataset_inputs,))
        return strategy.reduce(tf.distribute.ReduceOp.SUM, per_replica_losses, axis=None)

    @tf.function
    def distributed_test_step(dataset_inputs):
        return strategy.run(test_step, args=(dataset_inputs,))

    actual: dict = {"loss": [], "accuracy": [], "test loss": []}
    for _ in range(3):
        total_loss, num_batches = 0.0, 0
        for batch in train_dist:
            total_loss += distributed_train_step(batch)
            num_batches += 1
        for batch in test_dist:
            distributed_test_step(batch)
        actual["loss"].append(float(total_loss / num_batches))
        actual["accuracy"].append(float(train_accuracy.result()))
        actual["test loss"].append(float(test_loss.result()))
        train_accuracy.reset_state()
        test_loss.reset_state()
    actual["weights"] = sums(model)
    actual["iterations"] = int(optimizer.iterations.numpy())
    return actual


# --- fit -----------------------------------------------------------------------------------------


def fit(tf, strategy, count: int) -> dict:
    """`fit`, `evaluate` and `predict` on arrays; 12 to a batch, the last one may be smaller."""
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
        set_weights(model)
        model.compile("sgd", "mse", metrics=["mae"])
    x, y = rows(count)
    history = model.fit(x, y, batch_size=12, epochs=2, shuffle=False, verbose=0).history
    return {
        **history,
        "weights": sums(model),
        "evaluate": model.evaluate(x, y, batch_size=12, verbose=0),
        "predict": model.predict(x, batch_size=12, verbose=0).ravel().tolist(),
    }


def fit_with_state(tf, strategy) -> dict:
    """Batch normalization, whose statistics each replica keeps for itself."""
    with strategy.scope():
        model = tf.keras.Sequential(
            [
                tf.keras.Input((3,)),
                tf.keras.layers.BatchNormalization(momentum=0.5),
                tf.keras.layers.Dense(1),
            ]
        )
        set_weights(model)
        model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    x, y = rows(24)
    model.fit(x, y, batch_size=12, epochs=2, shuffle=False, verbose=0)
    mean = model.layers[0].moving_mean.value
    copies = getattr(model.layers[0].moving_mean, "_value", mean).values
    return {"weights": sums(model), "means": [np.asarray(v).tolist() for v in copies]}


# --- two networks, two optimizers ----------------------------------------------------------------


def gan(tf, strategy) -> dict:
    """A generator and a discriminator, trained in turn in one step; the noise is data."""
    draw = np.random.default_rng(3)
    real = draw.standard_normal((24, 2)).astype(np.float32) + 2
    noise = draw.standard_normal((24, 4)).astype(np.float32)
    data = tf.data.Dataset.from_tensor_slices((real, noise)).batch(12, drop_remainder=True)
    distributed = strategy.experimental_distribute_dataset(data)
    with strategy.scope():
        layers = tf.keras.layers
        generator = tf.keras.Sequential(
            [tf.keras.Input((4,)), layers.Dense(8, activation="tanh"), layers.Dense(2)]
        )
        discriminator = tf.keras.Sequential(
            [tf.keras.Input((2,)), layers.Dense(8, activation="tanh"), layers.Dense(1)]
        )
        cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True, reduction="none")
        optimizers = [tf.keras.optimizers.Adam(0.01, beta_1=0.5) for _ in range(2)]
        for model, optimizer in zip((generator, discriminator), optimizers, strict=True):
            set_weights(model)
            optimizer.build(model.trainable_variables)

    def average(losses):
        return tf.nn.compute_average_loss(losses, global_batch_size=12)

    def train_step(real, noise):
        with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
            made = generator(noise, training=True)
            on_real = discriminator(real, training=True)
            on_made = discriminator(made, training=True)
            gen_loss = average(cross_entropy(tf.ones_like(on_made), on_made))
            disc_loss = average(
                cross_entropy(tf.ones_like(on_real), on_real)
                + cross_entropy(tf.zeros_like(on_made), on_made)
            )
        for model, tape, loss, optimizer in (
            (generator, gen_tape, gen_loss, optimizers[0]),
            (discriminator, disc_tape, disc_loss, optimizers[1]),
        ):
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return gen_loss, disc_loss

    @tf.function
    def distributed_step(real, noise):
        losses = strategy.run(train_step, args=(real, noise))
        return strategy.reduce("SUM", losses, axis=None)

    actual: list = []
    for _ in range(3):
        actual += [[float(loss) for loss in distributed_step(*batch)] for batch in distributed]
    return {"losses": actual, "weights": sums(generator) + sums(discriminator)}


# --- what replicas do to variables and values ----------------------------------------------------


def variables(tf, strategy) -> dict:
    """Variables of every kind, assigned to in replicas and between them."""
    kinds = ("NONE", "SUM", "MEAN", "ONLY_FIRST_REPLICA")
    on_read = tf.VariableSynchronization.ON_READ
    with strategy.scope():
        made = {k: tf.Variable(1.0, aggregation=tf.VariableAggregation[k]) for k in kinds}
        read = {
            k: tf.Variable(1.0, synchronization=on_read, aggregation=tf.VariableAggregation[k])
            for k in kinds[1:]
        }

    def number():
        context = tf.distribute.get_replica_context()
        return tf.cast(context.replica_id_in_sync_group, tf.float32)

    def add():
        for v in (*made.values(), *read.values()):
            v.assign_add(number() + 1.0)
        return [tf.identity(v) for v in (*made.values(), *read.values())]

    def assign():
        for v in made.values():
            v.assign(2.0 * number() + 1.0)

    def values(x):
        return [float(v) for v in strategy.experimental_local_results(x)]

    actual: dict = {"added": [values(x) for x in strategy.run(add)]}
    actual["read"] = [float(v.read_value()) for v in (*made.values(), *read.values())]
    strategy.run(assign)
    actual["assigned"] = [float(v.read_value()) for v in made.values()]
    for v in (*made.values(), *read.values()):
        v.assign(6.0)
    actual["between"] = [
        values(strategy.run(lambda v=v: tf.identity(v))) for v in (*made.values(), *read.values())
    ]
    return actual


def exchange(tf, strategy) -> dict:
    """Collectives with their gradients, reductions and joined values."""
    data = tf.data.Dataset.range(12).map(lambda i: tf.cast(i, tf.float32)).batch(12)
    batch = next(iter(strategy.experimental_distribute_dataset(data)))

    def values(x):
        return [np.asarray(v).tolist() for v in strategy.experimental_local_results(x)]

    def function(x):
        context = tf.distribute.get_replica_context()
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            total = context.all_reduce("SUM", x * x)
            mean = context.all_reduce("MEAN", {"a": x, "b": [x * x]})
            joined = context.all_gather(x * x * x, axis=0)
            sums = [
                tf.reduce_sum(t * tf.range(1.0, 1.0 + t.shape[0]))
                for t in (total, mean["b"][0], joined)
            ]
        gradients = [tape.gradient(s, x) for s in sums]
        return total, mean, joined, gradients

    total, mean, joined, gradients = strategy.run(function, args=(batch,))
    return {
        "sum": values(total),
        "mean": [values(mean["a"]), values(mean["b"][0])],
        "joined": values(joined),
        "gradients": [values(g) for g in gradients],
        "reduced": [
            np.asarray(strategy.reduce(op, batch, axis)).tolist()
            for op in ("SUM", "MEAN")
            for axis in (None, 0)
        ],
        "gathered": np.asarray(strategy.gather(batch, axis=0)).tolist(),
    }


def divided(tf, strategy) -> dict:
    """How batches of any size are divided, and what their sums and means are."""
    actual = {}
    for size in (12, 7, 2):
        data = tf.data.Dataset.range(size).map(lambda i: tf.cast(i, tf.float32)).batch(12)
        batch = next(iter(strategy.experimental_distribute_dataset(data)))
        doubled = strategy.run(lambda x: 2.0 * x, args=(batch,))
        actual[str(size)] = {
            "parts": [np.asarray(v).tolist() for v in strategy.experimental_local_results(doubled)],
            "sum": float(strategy.reduce("SUM", doubled, axis=0)),
            "mean": float(strategy.reduce("MEAN", doubled, axis=0)),
            "joined": np.asarray(strategy.gather(doubled, axis=0)).tolist(),
        }
    return actual


PROGRAMS = {
    "custom loop": custom_loop,
    "fit": lambda tf, strategy: fit(tf, strategy, 24),
    "fit with a smaller last batch": lambda tf, strategy: fit(tf, strategy, 20),
    "fit with an empty replica": lambda tf, strategy: fit(tf, strategy, 13),
    "fit with state": fit_with_state,
    "gan": gan,
    "variables": variables,
    "exchange": exchange,
    "divided": divided,
}
