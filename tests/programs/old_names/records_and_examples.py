"""TFRecords the old way: python_io, parse_single_example, FixedLenFeature, a one-shot iterator."""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
folder = tempfile.mkdtemp()
path = os.path.join(folder, "train.tfrecord")


def _float_feature(values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def _int64_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


with tf.python_io.TFRecordWriter(path) as writer:
    for i in range(20):
        label = i % 2
        x = rng.normal(label * 2 - 1, 1.0, 4)
        features = tf.train.Features(feature={"x": _float_feature(x), "y": _int64_feature(label)})
        writer.write(tf.train.Example(features=features).SerializeToString())


def parse(serialized):
    spec = {"x": tf.FixedLenFeature([4], tf.float32), "y": tf.FixedLenFeature([], tf.int64)}
    example = tf.parse_single_example(serialized, spec)
    return example["x"], tf.to_float(example["y"])


dataset = tf.data.TFRecordDataset(path).map(parse).batch(5).repeat(3)
w, b = tf.Variable(tf.zeros([4, 1])), tf.Variable(0.0)
optimizer = tf.train.GradientDescentOptimizer(0.3)
losses = []
for x, y in tf.compat.v1.data.make_one_shot_iterator(dataset):
    with tf.GradientTape() as tape:
        logits = tf.squeeze(tf.matmul(x, w), axis=1) + b
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    optimizer.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b]))
    losses.append(float(loss))
print(
    json.dumps(
        {
            "losses": losses,
            "w": w.numpy().ravel().tolist(),
            "exists": tf.gfile.Exists(path),
            "files": tf.gfile.ListDirectory(folder),
            "records": sum(1 for _ in tf.data.TFRecordDataset(path)),
        }
    )
)
