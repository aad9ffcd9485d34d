"""Deep Q-learning on a chain of states, with tf.assign for the target network."""

import json
import random
from collections import deque

import numpy as np
import tensorflow as tf

random.seed(5)
np.random.seed(5)
N_STATES, N_ACTIONS, GAMMA = 6, 2, 0.9
w = [np.random.randn(*s).astype(np.float32) * 0.3 for s in [(N_STATES, 10), (10, N_ACTIONS)]]
eval_net = [tf.Variable(v, name="eval") for v in w]
target_net = [tf.Variable(v, name="target", trainable=False) for v in w]
memory = deque(maxlen=60)
optimizer = tf.train.AdamOptimizer(0.02, epsilon=1e-5)


def q(net, s):
    one = tf.one_hot(s, N_STATES, on_value=1.0, off_value=0.0)
    return tf.matmul(tf.nn.relu(tf.matmul(one, net[0])), net[1])


def env_step(s, a):
    s_ = min(s + 1, N_STATES - 1) if a == 1 else max(s - 1, 0)
    done = s_ == N_STATES - 1
    return s_, 1.0 if done else -0.01, done


def replace_target():
    return [tf.assign(t, e) for t, e in zip(target_net, eval_net)]


def learn():
    batch = random.sample(memory, 16)
    s, a, r, s_, d = (np.array(c) for c in zip(*batch))
    q_next = tf.reduce_max(q(target_net, s_), axis=1)
    y = tf.to_float(r) + GAMMA * q_next * tf.to_float(tf.logical_not(d))
    with tf.GradientTape() as tape:
        q_sa = tf.reduce_sum(q(eval_net, s) * tf.one_hot(a, N_ACTIONS), axis=1)
        loss = tf.compat.v1.losses.huber_loss(tf.stop_gradient(y), q_sa)
    optimizer.apply_gradients(zip(tape.gradient(loss, eval_net), eval_net))
    return float(loss)


losses, s, visits = [], 0, 0
for t in range(70):
    if random.random() < 0.5:
        a = random.randrange(N_ACTIONS)
    else:
        a = int(tf.argmax(q(eval_net, [s]), axis=1)[0])
    s_, r, done = env_step(s, a)
    memory.append((s, a, r, s_, done))
    s = 0 if done else s_
    visits += done
    if len(memory) >= 40:
        losses.append(learn())
    if t % 10 == 9:
        replace_target()
table = q(eval_net, list(range(N_STATES)))
print(json.dumps({"losses": losses, "q": table.numpy().tolist(), "visits": int(visits)}))
