"""A tiny radiance field: positional encoding, rays, transmittance by exclusive cumprod."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
L_embed, N_samples, H, W = 3, 8, 5, 5
focal = 6.0


def posenc(x):
    rets = [x]
    for i in range(L_embed):
        for fn in [tf.sin, tf.cos]:
            rets.append(fn(2.0**i * x))
    return tf.concat(rets, -1)


def get_rays(c2w):
    i, j = tf.meshgrid(tf.range(W, dtype=tf.float32), tf.range(H, dtype=tf.float32), indexing="xy")
    dirs = tf.stack([(i - W * 0.5) / focal, -(j - H * 0.5) / focal, -tf.ones_like(i)], -1)
    rays_d = tf.reduce_sum(dirs[..., np.newaxis, :] * c2w[:3, :3], -1)
    return tf.broadcast_to(c2w[:3, -1], tf.shape(rays_d)), rays_d


sizes = [3 + 3 * 2 * L_embed, 16, 16, 4]
params = []
for n, m in zip(sizes[:-1], sizes[1:]):
    params += [tf.Variable((rng.randn(n, m) / np.sqrt(n)).astype("f")), tf.Variable(tf.zeros([m]))]


def network(x):
    for w, b in zip(params[0:-2:2], params[1:-2:2]):
        x = tf.nn.relu(tf.matmul(x, w) + b)
    return tf.matmul(x, params[-2]) + params[-1]


def render_rays(rays_o, rays_d, near=1.0, far=3.0):
    z_vals = tf.linspace(near, far, N_samples)
    pts = rays_o[..., None, :] + rays_d[..., None, :] * z_vals[..., :, None]
    raw = tf.reshape(network(posenc(tf.reshape(pts, [-1, 3]))), [*pts.shape[:-1], 4])
    sigma_a, rgb = tf.nn.relu(raw[..., 3]), tf.math.sigmoid(raw[..., :3])
    dists = tf.concat(
        [z_vals[..., 1:] - z_vals[..., :-1], tf.broadcast_to([1e10], z_vals[..., :1].shape)], -1
    )
    alpha = 1.0 - tf.exp(-sigma_a * dists)
    weights = alpha * tf.math.cumprod(1.0 - alpha + 1e-10, -1, exclusive=True)
    rgb_map = tf.reduce_sum(weights[..., None] * rgb, -2)
    return rgb_map, tf.reduce_sum(weights * z_vals, -1), tf.reduce_sum(weights, -1)


pose = np.eye(4, dtype=np.float32)
pose[2, 3] = 2.0
target = tf.constant(rng.rand(H, W, 3), tf.float32)
rays_o, rays_d = get_rays(pose)
m = [tf.zeros_like(p) for p in params]
log = []
for it in range(6):
    with tf.GradientTape() as tape:
        rgb, depth, acc = render_rays(rays_o, rays_d)
        loss = tf.reduce_mean(tf.square(rgb - target))
    for k, (p, g) in enumerate(zip(params, tape.gradient(loss, params))):
        m[k] = 0.9 * m[k] + g
        p.assign_sub(0.1 * m[k])
    psnr = -10.0 * tf.math.log(loss) / tf.math.log(10.0)
    log.append([float(loss), float(psnr)])
print(json.dumps({"log": log, "depth": depth.numpy()[0].tolist(), "acc": float(acc[2, 2])}))
