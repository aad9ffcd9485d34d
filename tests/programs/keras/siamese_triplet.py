"""A Siamese network with a triplet loss: shared embedding, a distance layer, own train_step."""

import json

import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers, losses, metrics, optimizers

tf.keras.utils.set_random_seed(59)
rng = np.random.default_rng(59)
centers = rng.normal(size=(4, 8, 8, 1))
anchors = np.concatenate([centers + 0.3 * rng.normal(size=centers.shape) for _ in range(8)])
positives = np.concatenate([centers + 0.3 * rng.normal(size=centers.shape) for _ in range(8)])
anchor_dataset = tf.data.Dataset.from_tensor_slices(anchors.astype(np.float32))
positive_dataset = tf.data.Dataset.from_tensor_slices(positives.astype(np.float32))
negatives = np.concatenate([positives[1:], positives[:1]]).astype(np.float32)
negative_dataset = tf.data.Dataset.from_tensor_slices(negatives)
dataset = tf.data.Dataset.zip((anchor_dataset, positive_dataset, negative_dataset))
train_dataset = dataset.take(24).batch(8, drop_remainder=False).prefetch(8)
val_dataset = dataset.skip(24).batch(8)

embedding_input = layers.Input(shape=(8, 8, 1))
x = layers.Conv2D(6, 3, activation="relu")(embedding_input)
x = layers.DepthwiseConv2D(3, depth_multiplier=2)(x)
x = layers.Flatten()(x)
x = layers.Dense(12, activation="relu")(x)
# Distances do not see what is added to all embeddings: no offsets at the end.
x = layers.BatchNormalization(center=False)(x)
embedding = Model(embedding_input, layers.Dense(6, use_bias=False)(x), name="Embedding")
for layer in embedding.layers[:2]:
    layer.trainable = False


class DistanceLayer(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def call(self, anchor, positive, negative):
        ap_distance = tf.reduce_sum(tf.square(anchor - positive), -1)
        an_distance = tf.reduce_sum(tf.square(anchor - negative), -1)
        return ap_distance, an_distance


anchor_input = layers.Input(name="anchor", shape=(8, 8, 1))
positive_input = layers.Input(name="positive", shape=(8, 8, 1))
negative_input = layers.Input(name="negative", shape=(8, 8, 1))
distances = DistanceLayer()(
    embedding(anchor_input), embedding(positive_input), embedding(negative_input)
)
siamese_network = Model(inputs=[anchor_input, positive_input, negative_input], outputs=distances)


class SiameseModel(Model):
    def __init__(self, siamese_network, margin=0.5):
        super().__init__()
        self.siamese_network = siamese_network
        self.margin = margin
        self.loss_tracker = metrics.Mean(name="loss")

    def call(self, inputs):
        return self.siamese_network(inputs)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = self._compute_loss(data)
        gradients = tape.gradient(loss, self.siamese_network.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.siamese_network.trainable_weights))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    def test_step(self, data):
        loss = self._compute_loss(data)
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    def _compute_loss(self, data):
        ap_distance, an_distance = self.siamese_network(data)
        loss = ap_distance - an_distance
        return tf.maximum(loss + self.margin, 0.0)

    @property
    def metrics(self):
        return [self.loss_tracker]


siamese_model = SiameseModel(siamese_network)
siamese_model.compile(optimizer=optimizers.Adam(0.001))
history = siamese_model.fit(train_dataset, epochs=2, validation_data=val_dataset, verbose=0)
sample = next(iter(train_dataset))
anchor, positive, negative = (embedding(part) for part in sample)
cosine_similarity = metrics.CosineSimilarity()
positive_similarity = cosine_similarity(anchor, positive)
hinge = losses.CosineSimilarity(axis=-1)(anchor, negative)
print(
    json.dumps(
        {
            "loss": history.history["loss"],
            "val_loss": history.history["val_loss"],
            "similarity": [positive_similarity.numpy().item(), hinge.numpy().item()],
            "trainable": [len(embedding.trainable_weights), len(embedding.weights)],
            "embedding": anchor.numpy()[0].tolist(),
        }
    )
)
