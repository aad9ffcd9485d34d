"""Knowledge distillation: a wide teacher, a narrow student, softened probabilities."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(41)
rng = np.random.default_rng(41)
x = tf.constant(rng.normal(size=(120, 8)), tf.float32)
labels = tf.argmax(tf.tanh(x @ tf.constant(rng.normal(size=(8, 5)), tf.float32)), axis=1)


class Classifier(tf.Module):
    def __init__(self, units, name):
        super().__init__(name=name)
        self.w1 = tf.Variable(tf.random.truncated_normal([8, units], stddev=0.4), name="w1")
        self.b1 = tf.Variable(tf.zeros([units]), name="b1")
        self.w2 = tf.Variable(tf.random.truncated_normal([units, 5], stddev=0.3), name="w2")

    def __call__(self, x):
        return tf.nn.silu(x @ self.w1 + self.b1) @ self.w2


def cross_entropy(logits):
    return tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    )


def kl_divergence(p, q):
    return tf.reduce_sum(p * (tf.math.log(p + 1e-7) - tf.math.log(q + 1e-7)), axis=-1)


def descend(module, loss_function, steps, rate):
    losses = []
    for _ in range(steps):
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(module.trainable_variables)
            loss = loss_function()
        gradients = tape.gradient(loss, module.trainable_variables)
        for v, g in zip(module.trainable_variables, gradients):
            v.assign_sub(rate * g)
        losses.append(loss.numpy().item())
    return losses


teacher, student = Classifier(32, "teacher"), Classifier(4, "student")
teacher_losses = descend(teacher, lambda: cross_entropy(teacher(x)), 12, 0.5)

ALPHA, TEMPERATURE = 0.1, 4.0


def distillation_loss():
    soft_teacher = tf.nn.softmax(teacher(x) / TEMPERATURE, axis=1)
    logits = student(x)
    soft_student = tf.nn.softmax(logits / TEMPERATURE, axis=1)
    soft = tf.reduce_mean(kl_divergence(soft_teacher, soft_student)) * TEMPERATURE**2
    return ALPHA * cross_entropy(logits) + (1 - ALPHA) * soft


student_losses = descend(student, distillation_loss, 12, 0.5)
agree = tf.equal(tf.argmax(teacher(x), 1), tf.argmax(student(x), 1))
matrix = tf.math.confusion_matrix(labels, tf.argmax(student(x), 1), num_classes=5)
print(
    json.dumps(
        {
            "teacher": teacher_losses,
            "student": student_losses,
            "agree": tf.reduce_mean(tf.cast(agree, tf.float32)).numpy().item(),
            "confusion": matrix.numpy().tolist(),
        }
    )
)
