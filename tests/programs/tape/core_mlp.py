"""A multilayer perceptron with `tf.Module`, own layers, own Adam, metrics and a data pipeline."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(22)
rng = np.random.default_rng(22)
images = rng.uniform(size=(96, 6, 6)).astype(np.float32)
classes = (images.reshape(96, -1) @ rng.normal(size=(36, 3))).argmax(1).astype(np.int64)
train_data = tf.data.Dataset.from_tensor_slices((images[:64], classes[:64]))
val_data = tf.data.Dataset.from_tensor_slices((images[64:], classes[64:])).batch(16)


def preprocess(x, y):
    x = tf.reshape(x, shape=[-1, 36])
    return x * 2.0 - 1.0, y


train_data = train_data.batch(16).map(preprocess)
val_data = val_data.map(preprocess)


def xavier_init(shape):
    in_dim, out_dim = shape
    limit = tf.sqrt(6.0) / tf.sqrt(tf.cast(in_dim + out_dim, tf.float32))
    return tf.random.uniform(shape=(in_dim, out_dim), minval=-limit, maxval=limit, seed=22)


class DenseLayer(tf.Module):
    def __init__(self, out_dim, weight_init=xavier_init, activation=tf.identity):
        super().__init__()
        self.out_dim = out_dim
        self.weight_init = weight_init
        self.activation = activation
        self.built = False

    def __call__(self, x):
        if not self.built:
            self.in_dim = x.shape[1]
            self.w = tf.Variable(self.weight_init(shape=(self.in_dim, self.out_dim)), name="w")
            self.b = tf.Variable(tf.zeros(shape=(self.out_dim,)), name="b")
            self.built = True
        z = tf.add(tf.matmul(x, self.w), self.b)
        return self.activation(z)


class MLP(tf.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = layers

    @tf.function
    def __call__(self, x, preds=False):
        for layer in self.layers:
            x = layer(x)
        return x


class Adam:
    def __init__(self, learning_rate=1e-3, beta_1=0.9, beta_2=0.999, ep=1e-7):
        self.beta_1, self.beta_2, self.learning_rate, self.ep = beta_1, beta_2, learning_rate, ep
        self.t = 1.0
        self.v_dvar, self.s_dvar = [], []
        self.built = False

    def apply_gradients(self, grads, variables):
        if not self.built:
            for var in variables:
                self.v_dvar.append(tf.Variable(tf.zeros(shape=var.shape)))
                self.s_dvar.append(tf.Variable(tf.zeros(shape=var.shape)))
            self.built = True
        for i, (d_var, var) in enumerate(zip(grads, variables)):
            self.v_dvar[i].assign(self.beta_1 * self.v_dvar[i] + (1 - self.beta_1) * d_var)
            self.s_dvar[i].assign(
                self.beta_2 * self.s_dvar[i] + (1 - self.beta_2) * tf.square(d_var)
            )
            v_bc = self.v_dvar[i] / (1 - (self.beta_1**self.t))
            s_bc = self.s_dvar[i] / (1 - (self.beta_2**self.t))
            var.assign_sub(self.learning_rate * (v_bc / (tf.sqrt(s_bc) + self.ep)))
        self.t += 1.0


def cross_entropy_loss(y_pred, y):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=y_pred))


def accuracy(y_pred, y):
    class_preds = tf.argmax(tf.nn.softmax(y_pred), axis=1)
    is_equal = tf.equal(y, class_preds)
    return tf.reduce_mean(tf.cast(is_equal, tf.float32))


mlp_model = MLP(
    [
        DenseLayer(out_dim=24, activation=tf.nn.relu),
        DenseLayer(out_dim=12, activation=tf.nn.relu),
        DenseLayer(out_dim=3),
    ]
)
mlp_model(tf.zeros([1, 36]))
names = [v.name for v in mlp_model.variables]
optimizer = Adam(learning_rate=0.01)


def train_step(x_batch, y_batch, loss, acc, model, optimizer):
    with tf.GradientTape() as tape:
        y_pred = model(x_batch)
        batch_loss = loss(y_pred, y_batch)
    batch_acc = acc(y_pred, y_batch)
    grads = tape.gradient(batch_loss, model.variables)
    optimizer.apply_gradients(grads, model.variables)
    return batch_loss, batch_acc


history = {"train": [], "accuracy": [], "val": [], "val_accuracy": []}
for epoch in range(3):
    batch_losses, batch_accs = [], []
    for x_batch, y_batch in train_data:
        batch_loss, batch_acc = train_step(
            x_batch, y_batch, cross_entropy_loss, accuracy, mlp_model, optimizer
        )
        batch_losses.append(batch_loss)
        batch_accs.append(batch_acc)
    val = [(cross_entropy_loss(mlp_model(x), y), accuracy(mlp_model(x), y)) for x, y in val_data]
    history["train"].append(tf.reduce_mean(batch_losses).numpy().item())
    history["accuracy"].append(tf.reduce_mean(batch_accs).numpy().item())
    history["val"].append(tf.reduce_mean([loss for loss, _ in val]).numpy().item())
    history["val_accuracy"].append(tf.reduce_mean([acc for _, acc in val]).numpy().item())


class ExportModule(tf.Module):
    def __init__(self, model, preprocess):
        self.model = model
        self.preprocess = preprocess

    @tf.function(input_signature=[tf.TensorSpec(shape=[None, None, None], dtype=tf.float32)])
    def __call__(self, x):
        x, _ = self.preprocess(x, None)
        y = self.model(x)
        return tf.argmax(tf.nn.softmax(y), axis=1)


exported = ExportModule(mlp_model, preprocess)
predictions = exported(images[:10])
confusion = tf.math.confusion_matrix(classes[:10], predictions, num_classes=3)
history["names"] = names
history["predictions"] = predictions.numpy().tolist()
history["confusion"] = confusion.numpy().tolist()
history["modules"] = len(exported.submodules)
print(json.dumps(history))
