"""Reinforcement learning: a cart learns to balance a pole, by REINFORCE.

Sixty-four carts run at once. The score of an action is how long its pole stood afterwards; the
gradient of the log-probabilities, weighted by the scores, is that of the expected time.
"""

import numpy as np
from picture import run

import gradtape as tf

CARTS, TIME, UPDATES = 64, 120, 45


def physics(state, push):
    """One step of 0.02 s: position, speed, angle, angular speed."""
    _, v, angle, spin = state.T
    force = 10.0 * (2.0 * push - 1.0)
    sine, cosine = np.sin(angle), np.cos(angle)
    part = (force + 0.05 * spin**2 * sine) / 1.1
    turn = (9.8 * sine - cosine * part) / (0.5 * (4 / 3 - 0.1 * cosine**2 / 1.1))
    speedup = part - 0.05 * turn * cosine / 1.1
    change = np.stack([v, speedup, spin, turn], 1)
    return (state + 0.02 * change).astype("float32")


def main():
    tf.random.set_seed(1)
    random = np.random.default_rng(1)
    weights = [
        tf.Variable(0.3 * tf.random.normal((4, 32))),
        tf.Variable(tf.zeros(32)),
        tf.Variable(0.1 * tf.random.normal((32, 1))),
    ]

    def policy(state):
        """The logit of a push to the right."""
        return tf.tanh(state @ weights[0] + weights[1]) @ weights[2]

    optimizer = tf.keras.optimizers.Adam(0.02)
    times = []
    for _ in range(UPDATES):
        state = random.uniform(-0.05, 0.05, (CARTS, 4)).astype("float32")
        standing = np.ones(CARTS, bool)
        states, pushes, alive = [], [], []
        for _ in range(TIME):
            chance = tf.sigmoid(policy(state)).numpy()[:, 0]
            push = (random.uniform(size=CARTS) < chance).astype("float32")
            for rows, new in ((states, state), (pushes, push), (alive, standing.astype("f4"))):
                rows.append(new)
            state = physics(state, push)
            standing &= (np.abs(state[:, 0]) < 2.4) & (np.abs(state[:, 2]) < 0.21)
            if not standing.any():
                break
        alive = np.array(alive)
        scores = np.cumsum(alive[::-1], 0)[::-1]  # how long it stands from here on
        scores = (scores - scores.mean(1, keepdims=True)) / (scores.std() + 1e-6) * alive
        with tf.GradientTape() as tape:
            logits = policy(np.concatenate(states))[:, 0]
            surprise = tf.nn.sigmoid_cross_entropy_with_logits(np.concatenate(pushes), logits)
            loss = tf.reduce_sum(surprise * scores.reshape(-1)) / alive.sum()
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        times.append(alive.sum(0))
    first, last = times[0].mean(), times[-1].mean()
    print(f"steps before the pole falls: {first:.0f} → {last:.0f} (at most {TIME})")
    return {"times": np.array(times), "first": first, "last": last}


def draw(figure, result):
    axes = figure.subplots()
    low, middle, high = np.quantile(result["times"], (0.1, 0.5, 0.9), axis=1)
    axes.fill_between(range(len(low)), low, high, alpha=0.3, label="80 % of the carts")
    axes.plot(middle, label="median")
    axes.set(title="steps before the pole falls", xlabel="update")
    axes.legend()


if __name__ == "__main__":
    run(main, draw)
