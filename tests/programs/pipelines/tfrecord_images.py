"""An image pipeline from TFRecords: shards, Examples, PNG files, augmentation, a classifier."""

import json
import pathlib
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(17)
rng = np.random.default_rng(17)
AUTOTUNE = tf.data.AUTOTUNE
folder = pathlib.Path(tempfile.mkdtemp())
SIZE, SHARDS, KINDS = 20, 3, ("disc", "bar", "frame")


def draw(kind):
    y, x = np.mgrid[:SIZE, :SIZE] - rng.integers(7, 13, size=2)[:, None, None]
    shape = {
        "disc": x**2 + y**2 < 25,
        "bar": abs(x) < 3,
        "frame": (np.maximum(abs(x), abs(y)) < 7) & (np.maximum(abs(x), abs(y)) > 3),
    }[kind]
    color = rng.integers(120, 255, size=3)
    return np.where(shape[..., None], color, rng.integers(0, 60, (SIZE, SIZE, 3))).astype(np.uint8)


def bytes_feature(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


def int64_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


def image_example(kind, number):
    image = draw(kind)
    feature = {
        "image": bytes_feature(tf.io.encode_png(image).numpy()),
        "class": int64_feature(KINDS.index(kind)),
        "name": bytes_feature(f"{kind}-{number}".encode()),
        "mean": tf.train.Feature(float_list=tf.train.FloatList(value=[float(image.mean())])),
    }
    return tf.train.Example(features=tf.train.Features(feature=feature))


for shard in range(SHARDS):
    options = tf.io.TFRecordOptions(compression_type="GZIP")
    with tf.io.TFRecordWriter(str(folder / f"images-{shard}.tfrecord.gz"), options) as writer:
        for number in range(12):
            example = image_example(KINDS[number % 3], 12 * shard + number)
            writer.write(example.SerializeToString())

FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "class": tf.io.FixedLenFeature([], tf.int64, default_value=-1),
    "name": tf.io.FixedLenFeature([], tf.string, default_value=""),
    "mean": tf.io.VarLenFeature(tf.float32),
}


def read_tfrecord(example):
    example = tf.io.parse_single_example(example, FEATURES)
    image = tf.io.decode_png(example["image"], channels=3)
    image = tf.image.resize(tf.cast(image, tf.float32), [16, 16])
    return image, example["class"], example["name"], tf.sparse.to_dense(example["mean"])


def load_dataset(filenames):
    files = tf.data.Dataset.from_tensor_slices(filenames)
    records = files.interleave(
        lambda name: tf.data.TFRecordDataset(name, compression_type="GZIP"),
        cycle_length=2,
        block_length=2,
        num_parallel_calls=AUTOTUNE,
        deterministic=True,
    )
    # At the end of data of unknown length, TensorFlow counts a step that has not been.
    records = records.apply(tf.data.experimental.assert_cardinality(12 * len(filenames)))
    return records.map(read_tfrecord, num_parallel_calls=AUTOTUNE)


filenames = sorted(tf.io.gfile.glob(str(folder / "images-*.tfrecord.gz")))
parsed = load_dataset(filenames[:2])
first = [(name.numpy().decode(), float(mean[0])) for _, _, name, mean in parsed.take(6)]
rescale = tf.keras.Sequential([layers.Rescaling(1.0 / 127.5, offset=-1), layers.CenterCrop(14, 14)])
augment = layers.RandomFlip("horizontal", seed=3)


def images_and_labels(filenames):
    return load_dataset(filenames).map(lambda image, label, name, mean: (image, label))


train_ds = images_and_labels(filenames[:2]).shuffle(64, seed=17).batch(8)
train_ds = train_ds.map(lambda x, y: (rescale(x), y), AUTOTUNE)
train_ds = train_ds.map(lambda x, y: (augment(x, training=True), y)).cache().prefetch(AUTOTUNE)
val_ds = images_and_labels(filenames[2:]).batch(12).map(lambda x, y: (rescale(x), y))
model = tf.keras.Sequential(
    [
        layers.Conv2D(6, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(8, 3, activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(len(KINDS)),
    ]
)
model.compile(
    optimizer=tf.keras.optimizers.Adam(0.02),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
history = model.fit(train_ds, validation_data=val_ds, epochs=3, verbose=0)
batch, labels = next(iter(train_ds))
print(
    json.dumps(
        {
            "first": first,
            "labels": labels.numpy().tolist(),
            "pixels": batch.numpy()[:, ::5, ::5, 0].tolist(),
            "losses": history.history["loss"],
            "accuracy": history.history["accuracy"],
            "validation": history.history["val_loss"],
            "predicted": np.argmax(model.predict(val_ds, verbose=0), -1).tolist(),
        }
    )
)
