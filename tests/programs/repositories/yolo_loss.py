"""A YOLO-like head: grid offsets, IoU by broadcasting, masks, and non-max suppression."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(66)
GRID, ANCHORS, CLASSES = 4, 2, 3
anchors = tf.constant([[0.2, 0.3], [0.5, 0.4]])
w = tf.Variable(rng.normal(scale=0.2, size=(16, ANCHORS * (5 + CLASSES))).astype("float32"))
feature_map = tf.constant(rng.normal(size=(2, GRID, GRID, 16)), tf.float32)
truth = np.zeros((2, GRID, GRID, ANCHORS, 5 + CLASSES), np.float32)
truth[0, 1, 2, 0] = [0.6, 0.35, 0.25, 0.3, 1, 0, 1, 0]
truth[1, 3, 0, 1] = [0.1, 0.8, 0.4, 0.4, 1, 1, 0, 0]


def decode(raw):
    raw = tf.reshape(raw, [-1, GRID, GRID, ANCHORS, 5 + CLASSES])
    xy, wh, obj, cls = tf.split(raw, (2, 2, 1, CLASSES), axis=-1)
    cells = tf.meshgrid(tf.range(GRID), tf.range(GRID))
    cells = tf.expand_dims(tf.stack(cells, axis=-1), axis=2)
    xy = (tf.sigmoid(xy) + tf.cast(cells, tf.float32)) / GRID
    return tf.concat([xy, tf.exp(wh) * anchors], -1), obj, cls


def corners(boxes):
    return tf.concat([boxes[..., :2] - boxes[..., 2:] / 2, boxes[..., :2] + boxes[..., 2:] / 2], -1)


def broadcast_iou(a, b):
    a, b = corners(a)[..., None, :], corners(b)
    overlap = tf.maximum(
        tf.minimum(a[..., 2:], b[..., 2:]) - tf.maximum(a[..., :2], b[..., :2]), 0.0
    )
    inter = tf.reduce_prod(overlap, -1)
    area_a = tf.reduce_prod(a[..., 2:] - a[..., :2], -1)
    area_b = tf.reduce_prod(b[..., 2:] - b[..., :2], -1)
    return inter / (area_a + area_b - inter)


def yolo_loss(raw):
    boxes, obj, cls = decode(raw)
    mask = truth[..., 4]
    true_boxes = tf.boolean_mask(truth[..., :4], tf.cast(mask, tf.bool))
    ignore = tf.cast(tf.reduce_max(broadcast_iou(boxes, true_boxes), -1) < 0.5, tf.float32)
    scale = 2 - truth[..., 2] * truth[..., 3]
    box_loss = mask * scale * tf.reduce_sum(tf.square(truth[..., :4] - boxes), -1)
    obj_loss = tf.nn.sigmoid_cross_entropy_with_logits(mask, obj[..., 0])
    obj_loss = mask * obj_loss + (1 - mask) * ignore * obj_loss
    cls_loss = mask * tf.nn.softmax_cross_entropy_with_logits(truth[..., 5:], cls)
    return [tf.reduce_sum(x) / 2 for x in (box_loss, obj_loss, cls_loss)]


log = []
for _ in range(6):
    with tf.GradientTape() as tape:
        parts = yolo_loss(tf.tensordot(feature_map, w, 1))
        loss = tf.add_n(parts)
    w.assign_sub(0.02 * tape.gradient(loss, w))
    log.append([float(p) for p in parts])
boxes, obj, cls = decode(tf.tensordot(feature_map, w, 1))
flat = tf.reshape(corners(boxes)[0], [-1, 4])
scores = tf.reshape(tf.sigmoid(obj[0]), [-1])
chosen = tf.image.non_max_suppression(flat, scores, 4, iou_threshold=0.3, score_threshold=0.1)
print(json.dumps({"log": log, "chosen": chosen.numpy().tolist()}))
