"""k-means with segment sums and tf.while_loop."""

import json

import numpy as np
import tensorflow.compat.v1 as tf

K, N = 3, 90
rng = np.random.RandomState(11)
means = np.array([[0, 0], [4, 1], [1, 5]])
points_np = np.concatenate([m + rng.randn(N // 3, 2) for m in means]).astype(np.float32)
points = tf.constant(points_np)
centroids = tf.Variable(tf.slice(points, [0, 0], [K, 2]))


def assign_points(c):
    expanded = tf.expand_dims(points, 0) - tf.expand_dims(c, 1)
    return tf.argmin(tf.reduce_sum(tf.square(expanded), reduction_indices=2), dimension=0)


def bucket_mean(data, bucket_ids, num_buckets):
    total = tf.unsorted_segment_sum(data, bucket_ids, num_buckets)
    count = tf.unsorted_segment_sum(tf.ones_like(data), bucket_ids, num_buckets)
    return total / tf.maximum(count, 1.0)


def body(i, c, moved):
    new = bucket_mean(points, assign_points(c), K)
    return i + 1, new, tf.norm(new - c, ord="euclidean")


cond = lambda i, c, moved: tf.logical_and(tf.less(i, 50), tf.greater(moved, 1e-4))
iterations, result, moved = tf.while_loop(
    cond, body, [tf.constant(0), centroids.read_value(), tf.constant(1.0)]
)
tf.assign(centroids, result)
assignments = assign_points(centroids)
counts = tf.bincount(tf.to_int32(assignments), minlength=K)
inertia = tf.reduce_sum(tf.squared_difference(points, tf.gather(centroids, assignments)))
print(
    json.dumps(
        {
            "iterations": int(iterations),
            "centroids": centroids.numpy().tolist(),
            "counts": counts.numpy().tolist(),
            "inertia": float(inertia),
        }
    )
)
