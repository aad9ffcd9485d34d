"""Images written by the writer that takes a dataset, read again, and a folder without any."""

import glob
import json
import os
import tempfile

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(2)
images = rng.randint(0, 255, (6, 4, 4, 1)).astype("uint8")
labels = rng.randint(0, 3, 6)


def serialize(image, label):
    feature = {
        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image.numpy()])),
        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label.numpy()])),
    }
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


def tf_serialize(image, label):
    text = tf.py_function(serialize, (tf.io.encode_png(image), label), tf.string)
    return tf.reshape(text, ())


def parse(example):
    parsed = tf.io.parse_single_example(
        example,
        {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        },
    )
    return tf.cast(tf.io.decode_png(parsed["image"], 1), tf.float32) / 255.0, parsed["label"]


folder = tempfile.mkdtemp()
path = os.path.join(folder, "train.tfrecord")
dataset = tf.data.Dataset.from_tensor_slices((images, labels))
tf.data.experimental.TFRecordWriter(path, "GZIP").write(dataset.map(tf_serialize))

names = glob.glob(os.path.join(folder, "train*"))
missing = glob.glob(os.path.join(folder, "valid*"))
means, seen = [], []
for x, y in tf.data.TFRecordDataset(names, "GZIP").map(parse).batch(4):
    means.append(float(tf.reduce_mean(x)))
    seen.extend(y.numpy().tolist())
nothing = [1 for _ in tf.data.TFRecordDataset(missing).map(parse).batch(4)]
print(json.dumps({"means": means, "labels": seen, "nothing": nothing}))
