"""Skip-gram word embeddings with negative sampling; sparse gradients of embedding lookups."""

import json

import numpy as np
import tensorflow as tf

tf.random.set_seed(42)
rng = np.random.default_rng(42)
text = "the wide road shimmered in the hot sun while the cold road darkened in the moon light"
tokens = text.split()
vocab = {word: index for index, word in enumerate(dict.fromkeys(["<pad>", *tokens]))}
sequence = [vocab[word] for word in tokens]
VOCAB, DIM, WINDOW, NEGATIVES = len(vocab), 8, 2, 4

pairs = [
    (target, sequence[j])
    for i, target in enumerate(sequence)
    for j in range(max(0, i - WINDOW), min(len(sequence), i + WINDOW + 1))
    if i != j
]
negatives = np.stack([rng.choice(np.arange(1, VOCAB), NEGATIVES, replace=False) for _ in pairs])
targets = tf.constant([p[0] for p in pairs], tf.int64)
contexts = tf.concat([tf.constant([[p[1]] for p in pairs], tf.int64), negatives], 1)
labels = tf.constant([[1.0] + [0.0] * NEGATIVES] * len(pairs))


class Word2Vec(tf.Module):
    def __init__(self, vocab_size, embedding_dim):
        super().__init__()
        init = tf.random.uniform
        self.target_embedding = tf.Variable(init([vocab_size, embedding_dim], -0.5, 0.5))
        self.context_embedding = tf.Variable(init([vocab_size, embedding_dim], -0.5, 0.5))

    def __call__(self, pair):
        target, context = pair
        word_emb = tf.nn.embedding_lookup(self.target_embedding, target)
        context_emb = tf.nn.embedding_lookup(self.context_embedding, context)
        return tf.einsum("be,bce->bc", word_emb, context_emb)


word2vec = Word2Vec(VOCAB, DIM)
losses, kinds = [], set()
for epoch in range(6):
    for begin in range(0, len(pairs), 16):
        batch = slice(begin, begin + 16)
        with tf.GradientTape() as tape:
            dots = word2vec((targets[batch], contexts[batch]))
            loss = tf.reduce_mean(
                tf.nn.sigmoid_cross_entropy_with_logits(labels=labels[batch], logits=dots)
            )
        for variable, gradient in zip(
            word2vec.trainable_variables, tape.gradient(loss, word2vec.trainable_variables)
        ):
            kinds.add(type(gradient).__name__)
            # Only the rows that were looked up change.
            update = tf.IndexedSlices(-2.0 * gradient.values, gradient.indices)
            variable.scatter_add(update)
    losses.append(loss.numpy().item())

vectors = tf.math.l2_normalize(word2vec.target_embedding, axis=1)
similarity = tf.matmul(vectors, vectors, transpose_b=True)
nearest = tf.argsort(similarity[vocab["sun"]], direction="DESCENDING")[:4]
print(
    json.dumps(
        {
            "pairs": len(pairs),
            "kinds": sorted(kinds),
            "losses": losses,
            "nearest": nearest.numpy().tolist(),
            "vector": word2vec.target_embedding[vocab["road"]].numpy().tolist(),
        }
    )
)
