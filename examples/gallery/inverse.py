"""An inverse problem: the conductivity along a rod, from temperatures that were measured on it.

Heat flows through a rod of unknown conductivity for 200 time steps. The simulation is a
`tf.function` with a loop; the gradient of the misfit goes back through all of it.
"""

import numpy as np
from picture import run
from scipy.optimize import minimize

import gradtape as tf

CELLS, TIMES, PULSES = 24, 200, 4


def main():
    random = np.random.default_rng(0)
    position = (np.arange(CELLS) + 0.5) / CELLS
    truth = 0.3 + 0.5 * np.exp(-(((position - 0.35) / 0.12) ** 2)) + 0.3 * (position > 0.7)
    starts = np.stack(
        [np.exp(-(((position - c) / 0.1) ** 2)) for c in np.linspace(0.1, 0.9, PULSES)]
    )
    starts = tf.constant(starts)

    @tf.function
    def simulate(conductivity):
        """Temperatures of every tenth time step, for each pulse of heat at the start."""
        between = 0.5 * (conductivity[1:] + conductivity[:-1])

        def step(heat, _):
            flow = between * (heat[:, 1:] - heat[:, :-1])
            change = tf.pad(flow, [[0, 0], [0, 1]]) - tf.pad(flow, [[0, 0], [1, 0]])
            return heat + 0.5 * change

        return tf.scan(step, tf.zeros(TIMES), starts)[9::10]

    measured = simulate(tf.constant(truth)).numpy()
    measured += random.normal(0, 0.001, measured.shape)

    def misfit(logarithm):
        """Squared errors, and a preference for smooth conductivity."""
        errors = (simulate(tf.exp(logarithm)) - measured) / 0.001
        rough = logarithm[1:] - logarithm[:-1]
        return tf.reduce_mean(errors**2) + 0.5 * tf.reduce_mean(rough**2)

    value_and_slope = tf.value_and_grad(misfit)
    values = []

    def for_scipy(logarithm):
        value, slope = value_and_slope(tf.constant(logarithm))
        values.append(float(value))
        return values[-1], slope.numpy()

    actual = minimize(for_scipy, np.full(CELLS, np.log(0.5)), jac=True, options={"maxiter": 60})
    estimate = np.exp(actual.x)
    error = np.abs(estimate - truth).max()
    print(f"misfit {values[0]:.0f} → {values[-1]:.2f}, largest error of the estimate {error:.2f}")
    return {"values": values, "truth": truth, "estimate": estimate, "error": error, "x": position}


def draw(figure, result):
    left, right = figure.subplots(1, 2)
    left.semilogy(np.minimum.accumulate(result["values"]))
    left.set(title="least misfit so far", xlabel="evaluation")
    right.step(result["x"], result["truth"], where="mid", label="truth")
    right.plot(result["x"], result["estimate"], "o-", label="estimate")
    right.set(title="conductivity along the rod", ylim=(0, None))
    right.legend()


if __name__ == "__main__":
    run(main, draw)
