"""A tagger with a conditional random field: log likelihood by tape, decoding by Viterbi."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa

rng = np.random.RandomState(1)
num_examples, num_words, num_features, num_tags = 6, 7, 5, 3
x = rng.rand(num_examples, num_words, num_features).astype(np.float32)
y = rng.randint(num_tags, size=[num_examples, num_words]).astype(np.int32)
y[:, 1:] = (y[:, :-1] + 1) % num_tags
lengths = np.array([7, 6, 7, 4, 5, 7], dtype=np.int32)


class Tagger(tf.Module):
    def __init__(self):
        self.w = tf.Variable(rng.randn(num_features, num_tags).astype("f") * 0.3)
        self.b = tf.Variable(tf.zeros([num_tags]))
        self.transitions = tf.Variable(rng.uniform(-0.1, 0.1, (num_tags, num_tags)).astype("f"))

    def unary(self, x):
        return tf.einsum("bwf,ft->bwt", x, self.w) + self.b


model = Tagger()
optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
losses = []
for step in range(12):
    with tf.GradientTape() as tape:
        likelihood, _ = tfa.text.crf_log_likelihood(model.unary(x), y, lengths, model.transitions)
        loss = tf.reduce_mean(-likelihood)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    losses.append(float(loss))

tags, score = tfa.text.crf_decode(model.unary(x), model.transitions, lengths)
mask = np.arange(num_words)[None] < lengths[:, None]
accuracy = 100.0 * np.sum((tags.numpy() == y) * mask) / mask.sum()
one, best = tfa.text.viterbi_decode(model.unary(x)[0].numpy(), model.transitions.numpy())
print(
    json.dumps(
        {
            "losses": losses,
            "transitions": model.transitions.numpy().tolist(),
            "tags": [row[:n].tolist() for row, n in zip(tags.numpy(), lengths)],
            "score": score.numpy().tolist(),
            "accuracy": float(accuracy),
            "one": [int(t) for t in one],
            "best": float(best),
        }
    )
)
