"""What zfit computes: unbinned and extended likelihoods, their gradients, minima and errors.

Run on TensorFlow, this program writes `data/fits.json`; run with gradtape as TensorFlow, it is
compared with that file:

    python tests/companions/fits.py tests/companions/data/fits.json
    gradtape run tests/companions/fits.py FILE
"""

import json
import sys

import numpy as np
import tensorflow as tf
import zfit

RESULTS = {}
# Half a spectrum: a peak on a falling background, and what was measured elsewhere.
numbers = np.random.default_rng(18)
measured = np.concatenate([numbers.normal(1.2, 0.4, 300), numbers.exponential(2.5, 700)])
measured = measured[measured < 8]
obs = zfit.Space("x", 0, 8)
data = zfit.Data(measured, obs=obs)

mu = zfit.Parameter("mu", 1.0, 0, 3)
sigma = zfit.Parameter("sigma", 0.6, 0.05, 2)
slope = zfit.Parameter("slope", -0.3, -2, -0.01)
fraction = zfit.Parameter("fraction", 0.4, 0, 1)
START = {mu: 1.0, sigma: 0.6, slope: -0.3, fraction: 0.4}
gauss = zfit.pdf.Gauss(mu=mu, sigma=sigma, obs=obs)
background = zfit.pdf.Exponential(slope, obs=obs)
model = zfit.pdf.SumPDF([gauss, background], fracs=fraction)
constraint = zfit.constraint.GaussianConstraint(mu, observation=1.1, sigma=0.1)
nll = zfit.loss.UnbinnedNLL(model=model, data=data, constraints=constraint)
parameters = [mu, sigma, slope, fraction]


def start():
    for parameter, value in START.items():
        parameter.set_value(value)


def case(name, *values):
    RESULTS[name] = [np.asarray(value, float).tolist() for value in values]


# --- densities and derivatives -------------------------------------------------------------------
case("pdf", model.pdf([0.5, 1.0, 4.0]), gauss.pdf([0.5, 1.0]), gauss.integrate((0, 1)))
case("value", nll.value())
case("gradient", *nll.gradient(params=parameters))
value, gradient = nll.value_gradient(params=parameters)
case("value_gradient", value, *gradient)
case("hessian", *nll.hessian(params=parameters))
with zfit.run.set_graph_mode(False):
    case("eagerly", nll.value(), *nll.gradient(params=parameters))
with tf.GradientTape() as tape:
    density = tf.reduce_sum(tf.math.log(gauss.pdf([0.5, 1.0, 2.0])))
case("tape", *tape.gradient(density, [mu, sigma]))

# --- minima and errors ---------------------------------------------------------------------------
peak = zfit.loss.UnbinnedNLL(gauss, zfit.Data(numbers.normal(1.2, 0.4, 300), obs=obs))
for minimizer in (
    zfit.minimize.Minuit(),
    zfit.minimize.ScipyLBFGSB(),
    zfit.minimize.ScipyTrustConstr(),
    zfit.minimize.LevenbergMarquardt(),
):
    start()
    result = minimizer.minimize(peak)
    assert result.valid, minimizer
    minimum = [result.params[parameter]["value"] for parameter in (mu, sigma)]
    case(f"minimum.{type(minimizer).__name__}", result.fmin, *minimum)
start()
result = zfit.minimize.Minuit().minimize(nll)
assert result.valid
case("minimum", result.fmin, *(result.params[parameter]["value"] for parameter in parameters))
hesse = result.hesse(method="hesse_np")
case("hesse", *(hesse[parameter]["error"] for parameter in parameters))
errors, _ = result.errors(params=mu)
case("errors", errors[mu]["lower"], errors[mu]["upper"])
case("covariance", result.covariance())

# --- extended, composed, binned ------------------------------------------------------------------
start()
signal = zfit.Parameter("signal", 280, 0, 1000)
falling = zfit.Parameter("falling", 600, 0, 2000)
ratio = zfit.ComposedParameter("ratio", lambda a, b: a / (a + b), params=[signal, falling])
extended = zfit.pdf.SumPDF(
    [gauss.create_extended(signal), background.create_extended(falling)], name="extended"
)
extended_nll = zfit.loss.ExtendedUnbinnedNLL(model=extended, data=data)
case("extended", extended_nll.value(), *extended_nll.gradient(params=[signal, falling, mu]))
with tf.GradientTape() as tape:
    squared = tf.square(ratio) + ratio
case("composed", ratio.value(), squared, *tape.gradient(squared, [signal, falling]))
result = zfit.minimize.Minuit().minimize(extended_nll)
case("minimum.extended", result.fmin, result.params[signal]["value"], ratio.value())

binning = zfit.binned.RegularBinning(20, 0, 8, name="x")
binned_obs = zfit.Space("x", binning=binning)
histogram = data.to_binned(binned_obs)
case("histogram", histogram.values())
start()
binned = zfit.loss.BinnedNLL(zfit.pdf.BinnedFromUnbinnedPDF(model, binned_obs), histogram)
case("binned", binned.value(), *binned.gradient(params=parameters))

with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(RESULTS, file, indent=0)
    file.write("\n")
