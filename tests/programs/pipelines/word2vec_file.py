"""word2vec from a file of lines: vocabulary, skip-grams with a sampling table, negative samples."""

import json
import pathlib
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SEED = 42
tf.keras.utils.set_random_seed(SEED)
AUTOTUNE = tf.data.AUTOTUNE
LINES = """
First Citizen:
Before we proceed any further, hear me speak.

All:
Speak, speak.

First Citizen:
You are all resolved rather to die than to famish?

All:
Resolved. resolved.

First Citizen:
First, you know Caius Marcius is chief enemy to the people.

All:
We know't, we know't.

First Citizen:
Let us kill him, and we'll have corn at our own price. Is't a verdict?
"""
path = pathlib.Path(tempfile.mkdtemp()) / "shakespeare.txt"
path.write_text(LINES, encoding="utf-8")
text_ds = tf.data.TextLineDataset(str(path)).filter(lambda x: tf.cast(tf.strings.length(x), bool))

VOCAB_SIZE, SEQUENCE_LENGTH, NUM_NS = 48, 10, 4
vectorize_layer = layers.TextVectorization(
    max_tokens=VOCAB_SIZE, output_mode="int", output_sequence_length=SEQUENCE_LENGTH
)
vectorize_layer.adapt(text_ds.batch(8))
vocabulary = vectorize_layer.get_vocabulary()
text_vector_ds = text_ds.batch(8).prefetch(AUTOTUNE).map(vectorize_layer).unbatch()
sequences = list(text_vector_ds.as_numpy_iterator())


def generate_training_data(sequences, window_size, num_ns, vocab_size, seed):
    targets, contexts, labels = [], [], []
    table = tf.keras.preprocessing.sequence.make_sampling_table(vocab_size, 0.01)
    for sequence in sequences:
        positive_skip_grams, _ = tf.keras.preprocessing.sequence.skipgrams(
            sequence,
            vocabulary_size=vocab_size,
            sampling_table=table,
            window_size=window_size,
            negative_samples=0,
            seed=seed,
        )
        for target_word, context_word in positive_skip_grams:
            context_class = tf.expand_dims(tf.constant([context_word], dtype="int64"), 1)
            negative_sampling_candidates, _, _ = tf.random.log_uniform_candidate_sampler(
                true_classes=context_class,
                num_true=1,
                num_sampled=num_ns,
                unique=True,
                range_max=vocab_size,
                seed=seed,
                name="negative_sampling",
            )
            context = tf.concat([tf.squeeze(context_class, 1), negative_sampling_candidates], 0)
            targets.append(target_word)
            contexts.append(context)
            labels.append(tf.constant([1] + [0] * num_ns, dtype="int64"))
    return np.array(targets), np.array(contexts), np.array(labels)


targets, contexts, labels = generate_training_data(sequences, 2, NUM_NS, VOCAB_SIZE, SEED)
dataset = tf.data.Dataset.from_tensor_slices(((targets, contexts), labels))
dataset = dataset.shuffle(1000, seed=SEED).batch(16, drop_remainder=True)
dataset = dataset.cache().prefetch(buffer_size=AUTOTUNE)


class Word2Vec(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim):
        super().__init__()
        self.target_embedding = layers.Embedding(vocab_size, embedding_dim, name="w2v_embedding")
        self.context_embedding = layers.Embedding(vocab_size, embedding_dim)

    def call(self, pair):
        target, context = pair
        if len(target.shape) == 2:
            target = tf.squeeze(target, axis=1)
        word_emb = self.target_embedding(target)
        context_emb = self.context_embedding(context)
        return tf.einsum("be,bce->bc", word_emb, context_emb)


word2vec = Word2Vec(VOCAB_SIZE, 12)
word2vec.compile(
    optimizer=tf.keras.optimizers.Adam(0.05),
    loss=tf.keras.losses.CategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
history = word2vec.fit(dataset, epochs=4, verbose=0)
weights = word2vec.get_layer("w2v_embedding").get_weights()[0]
similar = weights @ weights[vocabulary.index("know")]
print(
    json.dumps(
        {
            "vocabulary": vocabulary,
            "sequences": [sequence.tolist() for sequence in sequences],
            "pairs": len(targets),
            "contexts": contexts[:4].tolist(),
            "losses": history.history["loss"],
            "accuracy": history.history["accuracy"],
            "similar": similar.tolist(),
        }
    )
)
