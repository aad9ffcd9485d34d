"""Choices in the middle of a network: three estimates of a gradient through a random choice.

The exact gradient of an expected cost over a categorical choice is compared with REINFORCE, which
needs only the cost, and with Gumbel-softmax, which makes the choice soft so that a derivative goes
through it: less variance, some bias.
"""

import numpy as np
from picture import run

import gradtape as tf

KINDS, DRAWS = 6, 4000


def main():
    tf.random.set_seed(0)
    logits = tf.constant(np.linspace(-1, 1, KINDS).astype("float32"))
    costs = tf.constant(np.cos(np.arange(KINDS)).astype("float32"))

    def cost(choice):
        """Of a choice as a one-hot vector, or of a soft one."""
        return tf.reduce_sum(choice * costs) ** 2

    def expected(logits):
        return tf.reduce_sum(tf.nn.softmax(logits) * costs**2)

    exact = tf.grad(expected)(logits).numpy()

    def reinforce(noise):
        chosen = tf.one_hot(tf.argmax(logits + noise), KINDS)
        score = tf.grad(lambda x: tf.reduce_sum(chosen * tf.nn.log_softmax(x)))(logits)
        return cost(chosen) * score

    def soft(temperature):
        def estimate(noise):
            return tf.grad(lambda x: cost(tf.nn.softmax((x + noise) / temperature)))(logits)

        return estimate

    # Adding Gumbel noise and taking the largest is a draw from the softmax.
    noise = -tf.math.log(-tf.math.log(tf.random.uniform((DRAWS, KINDS), minval=1e-6)))
    methods = {"REINFORCE": reinforce, "soft, 1": soft(1.0), "soft, 0.3": soft(0.3)}
    results = {}
    for name, method in methods.items():
        draws = tf.vmap(method)(noise).numpy()  # an estimate for each row of the noise
        bias = np.linalg.norm(draws.mean(0) - exact)
        deviation = np.sqrt(draws.var(0).sum())
        results[name] = (draws.mean(0), bias, deviation)
        print(f"{name:10} bias {bias:.3f}, standard deviation {deviation:.3f}")
    return {"exact": exact, "results": results}


def draw(figure, result):
    left, right = figure.subplots(1, 2)
    left.plot(result["exact"], "o", label="exact")
    for name, (mean, bias, deviation) in result["results"].items():
        left.plot(mean, label=name)
        right.scatter(bias, deviation)
        right.annotate(f" {name}", (bias, deviation))
    left.set(title="gradient by each logit, mean of 4000", xlabel="kind")
    left.legend()
    right.set(xlabel="bias", ylabel="standard deviation", title="of an estimate")
    right.margins(0.3)


if __name__ == "__main__":
    run(main, draw)
