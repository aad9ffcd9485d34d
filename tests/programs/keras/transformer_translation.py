"""A transformer from scratch: positional encoding, masks, a warm-up schedule, greedy decoding."""

import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(49)
rng = np.random.default_rng(49)
VOCABULARY, LENGTH, DEPTH, START, END = 12, 6, 16, 10, 11


def positional_encoding(length, depth):
    depth = depth / 2
    positions = np.arange(length)[:, np.newaxis]
    depths = np.arange(depth)[np.newaxis, :] / depth
    angle_rads = positions * (1 / (10000**depths))
    encoding = np.concatenate([np.sin(angle_rads), np.cos(angle_rads)], axis=-1)
    return tf.cast(encoding, dtype=tf.float32)


class PositionalEmbedding(tf.keras.layers.Layer):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.d_model = d_model
        self.embedding = tf.keras.layers.Embedding(vocab_size, d_model, mask_zero=True)
        self.pos_encoding = positional_encoding(length=64, depth=d_model)

    def compute_mask(self, *args, **kwargs):
        return self.embedding.compute_mask(*args, **kwargs)

    def call(self, x):
        length = tf.shape(x)[1]
        x = self.embedding(x)
        x *= tf.math.sqrt(tf.cast(self.d_model, tf.float32))
        return x + self.pos_encoding[tf.newaxis, :length, :]


class BaseAttention(tf.keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__()
        self.mha = tf.keras.layers.MultiHeadAttention(**kwargs)
        self.layernorm = tf.keras.layers.LayerNormalization()
        self.add = tf.keras.layers.Add()


class CrossAttention(BaseAttention):
    def call(self, x, context):
        attn_output, attn_scores = self.mha(
            query=x, key=context, value=context, return_attention_scores=True
        )
        self.last_attn_scores = attn_scores
        return self.layernorm(self.add([x, attn_output]))


class GlobalSelfAttention(BaseAttention):
    def call(self, x):
        return self.layernorm(self.add([x, self.mha(query=x, value=x, key=x)]))


class CausalSelfAttention(BaseAttention):
    def call(self, x):
        attn_output = self.mha(query=x, value=x, key=x, use_causal_mask=True)
        return self.layernorm(self.add([x, attn_output]))


class FeedForward(tf.keras.layers.Layer):
    def __init__(self, d_model, dff, dropout_rate=0.0):
        super().__init__()
        self.seq = tf.keras.Sequential(
            [
                tf.keras.layers.Dense(dff, activation="relu"),
                tf.keras.layers.Dense(d_model),
                tf.keras.layers.Dropout(dropout_rate),
            ]
        )
        self.add = tf.keras.layers.Add()
        self.layer_norm = tf.keras.layers.LayerNormalization()

    def call(self, x):
        return self.layer_norm(self.add([x, self.seq(x)]))


class Transformer(tf.keras.Model):
    def __init__(self, d_model, num_heads, dff, vocab_size):
        super().__init__()
        options = {"num_heads": num_heads, "key_dim": d_model, "dropout": 0.0}
        self.source_embedding = PositionalEmbedding(vocab_size, d_model)
        self.target_embedding = PositionalEmbedding(vocab_size, d_model)
        self.encoder_attention = GlobalSelfAttention(**options)
        self.encoder_ffn = FeedForward(d_model, dff)
        self.causal_attention = CausalSelfAttention(**options)
        self.cross_attention = CrossAttention(**options)
        self.decoder_ffn = FeedForward(d_model, dff)
        self.final_layer = tf.keras.layers.Dense(vocab_size)

    def call(self, inputs):
        context, x = inputs
        context = self.encoder_ffn(self.encoder_attention(self.source_embedding(context)))
        x = self.causal_attention(self.target_embedding(x))
        x = self.decoder_ffn(self.cross_attention(x, context))
        logits = self.final_layer(x)
        try:
            del logits._keras_mask
        except AttributeError:
            pass
        return logits


class CustomSchedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        super().__init__()
        self.d_model = tf.cast(d_model, tf.float32)
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, dtype=tf.float32)
        arg1 = tf.math.rsqrt(step)
        arg2 = step * (self.warmup_steps**-1.5)
        return tf.math.rsqrt(self.d_model) * tf.math.minimum(arg1, arg2)


def masked_loss(label, pred):
    mask = label != 0
    loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
    loss = loss_object(label, pred)
    mask = tf.cast(mask, dtype=loss.dtype)
    loss *= mask
    return tf.reduce_sum(loss) / tf.reduce_sum(mask)


def masked_accuracy(label, pred):
    pred = tf.argmax(pred, axis=2)
    label = tf.cast(label, pred.dtype)
    match = label == pred
    mask = label != 0
    match = match & mask
    match = tf.cast(match, dtype=tf.float32)
    mask = tf.cast(mask, dtype=tf.float32)
    return tf.reduce_sum(match) / tf.reduce_sum(mask)


source = rng.integers(1, 9, size=(32, LENGTH))
source[:8, 4:] = 0
target = np.concatenate([np.full((32, 1), START), source, np.full((32, 1), END)], 1)
dataset = tf.data.Dataset.from_tensor_slices(
    ((source.astype(np.int64), target[:, :-1].astype(np.int64)), target[:, 1:].astype(np.int64))
).batch(8)

transformer = Transformer(d_model=DEPTH, num_heads=2, dff=32, vocab_size=VOCABULARY)
learning_rate = CustomSchedule(DEPTH, warmup_steps=20)
optimizer = tf.keras.optimizers.Adam(learning_rate, beta_1=0.9, beta_2=0.98, epsilon=1e-9)
transformer.compile(loss=masked_loss, optimizer=optimizer, metrics=[masked_accuracy])
history = transformer.fit(dataset, epochs=3, verbose=0)


class Translator(tf.Module):
    def __init__(self, transformer):
        super().__init__()
        self.transformer = transformer

    def __call__(self, sentence, max_length=4):
        output_array = tf.TensorArray(dtype=tf.int64, size=0, dynamic_size=True)
        output_array = output_array.write(0, tf.constant([START], tf.int64))
        scores = []
        for i in tf.range(max_length):
            output = tf.transpose(output_array.stack())
            predictions = self.transformer([sentence, output], training=False)
            predictions = predictions[:, -1:, :]
            scores.append(tf.reduce_max(predictions))
            predicted_id = tf.argmax(predictions, axis=-1)
            output_array = output_array.write(i + 1, predicted_id[0])
            if predicted_id == END:
                break
        return tf.transpose(output_array.stack()), tf.stack(scores)


translated, scores = Translator(transformer)(tf.constant(source[:1], tf.int64))
print(
    json.dumps(
        {
            "loss": history.history["loss"],
            "accuracy": history.history["masked_accuracy"],
            "rates": [learning_rate(tf.constant(float(s))).numpy().item() for s in (1, 20, 100)],
            "scores": scores.numpy().tolist(),
            "length": translated.shape[1],
            "attention": transformer.cross_attention.last_attn_scores.numpy()[0, 0, 0].tolist(),
            "weights": len(transformer.trainable_variables),
        }
    )
)
