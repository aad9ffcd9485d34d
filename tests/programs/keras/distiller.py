"""Knowledge distillation as a Keras model that trains another, through compile and fit."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(44)
rng = np.random.default_rng(44)
x = rng.normal(size=(64, 8, 8, 1)).astype("float32")
y = np.argmax(x[:, ::4, ::4, 0].reshape(64, 4), axis=1)


class Distiller(keras.Model):
    def __init__(self, student, teacher):
        super().__init__()
        self.student, self.teacher = student, teacher
        self.tracker = keras.metrics.Mean(name="distillation")

    def compile(self, optimizer, alpha=0.1, temperature=3):
        super().compile(optimizer=optimizer)
        self.student_loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.distillation_loss_fn = keras.losses.KLDivergence()
        self.alpha, self.temperature = alpha, temperature

    def train_step(self, data):
        x, y = data
        teacher_predictions = self.teacher(x, training=False)
        with tf.GradientTape() as tape:
            student_predictions = self.student(x, training=True)
            student_loss = self.student_loss_fn(y, student_predictions)
            distillation_loss = self.distillation_loss_fn(
                tf.nn.softmax(teacher_predictions / self.temperature, axis=1),
                tf.nn.softmax(student_predictions / self.temperature, axis=1),
            )
            loss = self.alpha * student_loss + (1 - self.alpha) * distillation_loss
        trainable_vars = self.student.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, trainable_vars), trainable_vars))
        self.tracker.update_state(distillation_loss)
        return {"student_loss": student_loss, "distillation": self.tracker.result()}

    def call(self, x):
        return self.student(x)


def network(filters, name):
    return keras.Sequential(
        [
            keras.Input(shape=(8, 8, 1)),
            keras.layers.Conv2D(filters, (3, 3), strides=(2, 2), padding="same"),
            keras.layers.LeakyReLU(negative_slope=0.2),
            keras.layers.MaxPooling2D(pool_size=(2, 2), strides=(1, 1), padding="same"),
            keras.layers.Flatten(),
            keras.layers.Dense(4),
        ],
        name=name,
    )


teacher, student = network(16, "teacher"), network(4, "student")
teacher.compile(
    optimizer=keras.optimizers.RMSprop(0.003),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=[keras.metrics.SparseCategoricalAccuracy()],
)
taught = teacher.fit(x, y, epochs=3, batch_size=16, shuffle=False, verbose=0).history
distiller = Distiller(student=student, teacher=teacher)
distiller.compile(optimizer=keras.optimizers.Adam(0.01))
distilled = distiller.fit(x, y, epochs=3, batch_size=16, shuffle=False, verbose=0).history
print(
    json.dumps(
        {
            "teacher": taught["loss"],
            "accuracy": taught["sparse_categorical_accuracy"],
            "distilled": distilled["distillation"],
        }
    )
)
