"""The basics of training loops: a line through noisy points, with a module and a tape."""

import json

import tensorflow as tf

TRUE_W = 3.0
TRUE_B = 2.0
NUM_EXAMPLES = 201

tf.random.set_seed(42)
x = tf.linspace(-2, 2, NUM_EXAMPLES)
x = tf.cast(x, tf.float32)
noise = tf.random.normal(shape=[NUM_EXAMPLES])
y = x * TRUE_W + TRUE_B + noise


class MyModel(tf.Module):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b


def loss(target_y, predicted_y):
    return tf.reduce_mean(tf.square(target_y - predicted_y))


def train(model, x, y, learning_rate):
    with tf.GradientTape() as t:
        current_loss = loss(y, model(x))
    dw, db = t.gradient(current_loss, [model.w, model.b])
    model.w.assign_sub(learning_rate * dw)
    model.b.assign_sub(learning_rate * db)


model = MyModel()
weights, biases, losses = [], [], []
for _ in range(10):
    train(model, x, y, learning_rate=0.1)
    weights.append(model.w.numpy().item())
    biases.append(model.b.numpy().item())
    losses.append(loss(y, model(x)).numpy().item())

print(f"w = {model.w.numpy():.3f}, b = {model.b.numpy():.3f}")
print(
    json.dumps(
        {
            "noise": noise[:5].numpy().tolist(),
            "variables": len(model.variables),
            "w": weights,
            "b": biases,
            "losses": losses,
        }
    )
)
