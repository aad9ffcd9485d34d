"""Skip-gram with negative samples: uniform embeddings, tf.div, tf.truncated_normal, similarity."""

import collections
import json

import numpy as np
import tensorflow as tf

tf.set_random_seed(11)
np.random.seed(11)
words = ("the quick brown fox jumps over the lazy dog and the quick cat sleeps " * 4).split()
count = collections.Counter(words).most_common()
dictionary = {word: i for i, (word, _) in enumerate(count)}
data = [dictionary[w] for w in words]
vocabulary_size, embedding_size, num_sampled = len(count), 8, 4

embeddings = tf.Variable(tf.random_uniform([vocabulary_size, embedding_size], -1.0, 1.0))
nce_weights = tf.Variable(
    tf.truncated_normal([vocabulary_size, embedding_size], stddev=1.0 / embedding_size**0.5)
)
nce_biases = tf.Variable(tf.zeros([vocabulary_size]))
optimizer = tf.train.GradientDescentOptimizer(0.5)


def logits(embed, ids):
    weights = tf.nn.embedding_lookup(nce_weights, ids)
    return tf.reduce_sum(embed * weights, axis=-1) + tf.gather(nce_biases, ids)


losses = []
for step in range(8):
    centers = np.random.randint(1, len(data) - 1, 16)
    batch = np.array([data[c] for c in centers])
    labels = np.array([data[c + np.random.choice([-1, 1])] for c in centers])
    sampled = np.random.randint(0, vocabulary_size, num_sampled)
    with tf.GradientTape() as tape:
        embed = tf.nn.embedding_lookup(embeddings, batch)
        true = logits(embed, labels)
        noise = logits(tf.expand_dims(embed, 1), np.tile(sampled, (16, 1)))
        loss = tf.reduce_mean(
            tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones_like(true), logits=true)
        ) + tf.reduce_mean(
            tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.zeros_like(noise), logits=noise)
        )
    theta = [embeddings, nce_weights, nce_biases]
    optimizer.apply_gradients(zip(tape.gradient(loss, theta), theta))
    losses.append(float(loss))

norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keepdims=True))
normalized = tf.div(embeddings, norm)
similarity = tf.matmul(tf.gather(normalized, [0]), normalized, transpose_b=True)
nearest = tf.nn.top_k(similarity[0], 3)
print(
    json.dumps(
        {
            "losses": losses,
            "similarity": similarity.numpy()[0].tolist(),
            "nearest": nearest.indices.numpy().tolist(),
        }
    )
)
