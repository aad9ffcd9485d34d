"""Gradients of log_prob of TensorFlow Probability's distributions, beside central differences.

    gradtape run tests/companions/log_probs.py FILE

writes, for each distribution, the gradients by its parameters and by the value, if that is
continuous, each with the differences of log_prob, in float64. A table has a row for
each class of `tfp.distributions`: how to make one from parameters, these, and a value.
"""

import json
import sys

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd, tfb = tfp.distributions, tfp.bijectors
Normal = tfd.Normal
STEP = 1e-6
BASES = {"Distribution", "AutoCompositeTensorDistribution", "JointDistribution"}
# The parameters of the first are weights of a network, made when it is first called; log_prob of
# the others is infinite but at a point.
EXCEPTIONS = {"PixelCNN", "Deterministic", "VectorDeterministic"}
JOINT = "JointDistribution"


def lower(diagonal):
    """Return a triangular matrix with this diagonal."""
    return tf.linalg.diag(diagonal) + np.tril(np.full((2, 2), 0.3), -1)


def operator(diagonal):
    return tf.linalg.LinearOperatorLowerTriangular(lower(diagonal))


def kernel(width):
    return tfp.math.psd_kernels.ExponentiatedQuadratic(np.float64(1.0), width)


def in_64(value):
    return tf.constant(value, tf.float64)


def follower(x):
    return Normal(x, in_64(0.7))


def chained(mean):
    x = yield tfd.JointDistributionCoroutine.Root(Normal(mean, in_64(1.0)))
    yield follower(x)


def named(mean):
    return {"a": Normal(mean, in_64(1.0)), "b": lambda a: follower(a)}


POINTS, OTHERS = np.array([[0.0], [0.4], [1.1]]), np.array([[0.2], [0.9]])
SCALES, PAIR = [0.8, 1.4], [0.3, -0.4]

CONTINUOUS = {
    "Autoregressive": (
        lambda a: tfd.Autoregressive(
            lambda x: tfd.Independent(Normal(a * x, 1.0), 1), in_64(PAIR), 2
        ),
        [0.7],
        PAIR,
    ),
    "BatchBroadcast": (lambda m: tfd.BatchBroadcast(Normal(m, 1.0), [2]), [0.1], PAIR),
    "BatchConcat": (
        lambda m, n: tfd.BatchConcat([Normal(m, 1.0), Normal(n, 2.0)], 0),
        [[0.1], [0.2]],
        PAIR,
    ),
    "BatchReshape": (lambda m: tfd.BatchReshape(Normal(m, 1.0), [2, 1]), [PAIR], [[0.3], [0.4]]),
    "Bates": (lambda a, b: tfd.Bates(3.0, a, b), [0.1, 2.3], 0.9),
    "Beta": (tfd.Beta, [2.0, 3.0], 0.3),
    "BetaQuotient": (tfd.BetaQuotient, [2.0, 3.0, 1.5, 2.5], 0.7),
    "Blockwise": (
        lambda m, s: tfd.Blockwise([Normal(m, 1.0), tfd.MultivariateNormalDiag(in_64(PAIR), s)]),
        [0.1, SCALES],
        [0.1, 0.2, 0.3],
    ),
    "Cauchy": (tfd.Cauchy, [0.1, 0.8], 0.3),
    "Chi": (tfd.Chi, [3.0], 0.7),
    "Chi2": (tfd.Chi2, [3.0], 0.7),
    "CholeskyLKJ": (lambda c: tfd.CholeskyLKJ(2, c), [1.5], None),
    "ContinuousBernoulli": (lambda a: tfd.ContinuousBernoulli(logits=a), [0.4], 0.3),
    "Dirichlet": (tfd.Dirichlet, [[1.5, 2.0, 0.7]], None),
    "DoublesidedMaxwell": (tfd.DoublesidedMaxwell, [0.1, 0.8], 0.9),
    "ExpGamma": (tfd.ExpGamma, [2.0, 0.7], 0.3),
    "ExpInverseGamma": (tfd.ExpInverseGamma, [2.0, 0.7], 0.3),
    "ExpRelaxedOneHotCategorical": (
        lambda t, a: tfd.ExpRelaxedOneHotCategorical(t, logits=a),
        [0.7, [0.1, 0.5, -0.4]],
        None,
    ),
    "Exponential": (tfd.Exponential, [1.3], 0.4),
    "ExponentiallyModifiedGaussian": (tfd.ExponentiallyModifiedGaussian, [0.1, 0.8, 1.2], 0.3),
    "FlatDirichlet": (lambda: tfd.FlatDirichlet([3], dtype=tf.float64), [], None),
    "Gamma": (tfd.Gamma, [2.0, 0.7], 0.3),
    "GammaGamma": (tfd.GammaGamma, [2.0, 1.5, 0.7], 0.8),
    "GaussianProcess": (
        lambda w, n: tfd.GaussianProcess(kernel(w), POINTS, observation_noise_variance=n),
        [0.6, 0.1],
        [0.1, 0.2, -0.3],
    ),
    "GaussianProcessRegressionModel": (
        lambda w, y, n: tfd.GaussianProcessRegressionModel(
            kernel(w), OTHERS, POINTS, y, observation_noise_variance=n
        ),
        [0.6, [0.1, 0.2, -0.3], 0.1],
        PAIR,
    ),
    "GeneralizedExtremeValue": (tfd.GeneralizedExtremeValue, [0.1, 0.8, 0.3], 0.4),
    "GeneralizedNormal": (tfd.GeneralizedNormal, [0.1, 0.8, 1.7], 0.4),
    "GeneralizedPareto": (tfd.GeneralizedPareto, [0.1, 0.8, 0.3], 0.4),
    "Gumbel": (tfd.Gumbel, [0.1, 0.8], 0.4),
    "HalfCauchy": (tfd.HalfCauchy, [0.1, 0.8], 0.4),
    "HalfNormal": (tfd.HalfNormal, [0.8], 0.4),
    "HalfStudentT": (tfd.HalfStudentT, [3.0, 0.1, 0.8], 0.4),
    "HiddenMarkovModel": (
        lambda a, t, m: tfd.HiddenMarkovModel(
            tfd.Categorical(logits=a), tfd.Categorical(logits=t), Normal(m, in_64(0.5)), 3
        ),
        [[0.1, 0.5], [[0.2, 0.1], [0.4, -0.3]], [0.0, 1.0]],
        [0.2, 0.8, 0.4],
    ),
    "Horseshoe": (tfd.Horseshoe, [0.8], 0.4),
    "Independent": (lambda m, s: tfd.Independent(Normal(m, s), 1), [PAIR, SCALES], PAIR),
    "InverseGamma": (tfd.InverseGamma, [2.0, 0.7], 0.4),
    "InverseGaussian": (tfd.InverseGaussian, [1.2, 0.7], 0.4),
    "JohnsonSU": (tfd.JohnsonSU, [0.2, 1.3, 0.1, 0.8], 0.4),
    "JointDistributionCoroutine": (
        lambda m: tfd.JointDistributionCoroutine(lambda: chained(m)),
        [0.1],
        [0.3, 0.5],
    ),
    "JointDistributionCoroutineAutoBatched": (
        lambda m: tfd.JointDistributionCoroutineAutoBatched(lambda: chained(m)),
        [0.1],
        [0.3, 0.5],
    ),
    "JointDistributionNamed": (lambda m: tfd.JointDistributionNamed(named(m)), [0.1], [0.3, 0.5]),
    "JointDistributionNamedAutoBatched": (
        lambda m: tfd.JointDistributionNamedAutoBatched(named(m)),
        [0.1],
        [0.3, 0.5],
    ),
    "JointDistributionSequential": (
        lambda m: tfd.JointDistributionSequential([Normal(m, in_64(1.0)), follower]),
        [0.1],
        [0.3, 0.5],
    ),
    "JointDistributionSequentialAutoBatched": (
        lambda m: tfd.JointDistributionSequentialAutoBatched([Normal(m, in_64(1.0)), follower]),
        [0.1],
        [0.3, 0.5],
    ),
    "Kumaraswamy": (tfd.Kumaraswamy, [1.4, 2.1], 0.4),
    "LKJ": (lambda c: tfd.LKJ(2, c), [1.5], None),
    "LambertWDistribution": (
        lambda m, s, t: tfd.LambertWDistribution(Normal(m, s), m, s, tailweight=t),
        [0.1, 0.8, 0.2],
        0.4,
    ),
    "LambertWNormal": (
        lambda m, s, t: tfd.LambertWNormal(m, s, tailweight=t),
        [0.1, 0.8, 0.2],
        0.4,
    ),
    "Laplace": (tfd.Laplace, [0.1, 0.8], 0.4),
    "LinearGaussianStateSpaceModel": (
        lambda s, n: tfd.LinearGaussianStateSpaceModel(
            3,
            tf.linalg.LinearOperatorIdentity(2, dtype=tf.float64),
            tfd.MultivariateNormalDiag(in_64([0.0, 0.0]), s),
            tf.linalg.LinearOperatorIdentity(2, dtype=tf.float64),
            tfd.MultivariateNormalDiag(in_64([0.0, 0.0]), n),
            tfd.MultivariateNormalDiag(in_64([0.0, 0.0]), in_64([1.0, 1.0])),
        ),
        [SCALES, [0.6, 0.9]],
        [[0.1, 0.2], [0.4, 0.1], [-0.3, 0.6]],
    ),
    "LogLogistic": (tfd.LogLogistic, [0.1, 0.8], 0.4),
    "LogNormal": (tfd.LogNormal, [0.1, 0.8], 0.4),
    "Logistic": (tfd.Logistic, [0.1, 0.8], 0.4),
    "LogitNormal": (tfd.LogitNormal, [0.1, 0.8], 0.4),
    "MarkovChain": (
        lambda m, s: tfd.MarkovChain(Normal(m, in_64(1.0)), lambda _, x: Normal(x, s), 3),
        [0.1, 0.8],
        [0.2, 0.5, 0.1],
    ),
    "Masked": (lambda m: tfd.Masked(Normal(m, 1.0), [True, False]), [PAIR], PAIR),
    "MatrixNormalLinearOperator": (
        lambda m, r, c: tfd.MatrixNormalLinearOperator(m, operator(r), operator(c)),
        [[[0.1, 0.2], [0.3, 0.4]], SCALES, [1.2, 0.9]],
        [[0.3, -0.2], [0.5, 0.1]],
    ),
    "MatrixTLinearOperator": (
        lambda d, m, r, c: tfd.MatrixTLinearOperator(d, m, operator(r), operator(c)),
        [3.0, [[0.1, 0.2], [0.3, 0.4]], SCALES, [1.2, 0.9]],
        [[0.3, -0.2], [0.5, 0.1]],
    ),
    "Mixture": (
        lambda a, m, n: tfd.Mixture(tfd.Categorical(logits=a), [Normal(m, 1.0), Normal(n, 2.0)]),
        [[0.1, 0.5], 0.2, -0.4],
        0.4,
    ),
    "MixtureSameFamily": (
        lambda a, m: tfd.MixtureSameFamily(tfd.Categorical(logits=a), Normal(m, 1.0)),
        [[0.1, 0.5], PAIR],
        0.4,
    ),
    "Moyal": (tfd.Moyal, [0.1, 0.8], 0.4),
    "MultivariateNormalDiag": (tfd.MultivariateNormalDiag, [PAIR, SCALES], [0.1, 0.7]),
    "MultivariateNormalDiagPlusLowRank": (
        lambda m, s, u: tfd.MultivariateNormalDiagPlusLowRank(m, s, scale_perturb_factor=u),
        [PAIR, SCALES, [[0.3], [0.5]]],
        [0.1, 0.7],
    ),
    "MultivariateNormalDiagPlusLowRankCovariance": (
        tfd.MultivariateNormalDiagPlusLowRankCovariance,
        [PAIR, SCALES, [[0.3], [0.5]]],
        [0.1, 0.7],
    ),
    "MultivariateNormalFullCovariance": (
        lambda m, s: tfd.MultivariateNormalFullCovariance(m, tf.linalg.diag(s) + 0.3),
        [PAIR, SCALES],
        [0.1, 0.7],
    ),
    "MultivariateNormalLinearOperator": (
        lambda m, s: tfd.MultivariateNormalLinearOperator(m, operator(s)),
        [PAIR, SCALES],
        [0.1, 0.7],
    ),
    "MultivariateNormalTriL": (
        lambda m, s: tfd.MultivariateNormalTriL(m, lower(s)),
        [PAIR, SCALES],
        [0.1, 0.7],
    ),
    "MultivariateStudentTLinearOperator": (
        lambda d, m, s: tfd.MultivariateStudentTLinearOperator(d, m, operator(s)),
        [3.0, PAIR, SCALES],
        [0.1, 0.7],
    ),
    "NoncentralChi2": (tfd.NoncentralChi2, [3.0, 1.2], 0.9),
    "Normal": (tfd.Normal, [0.1, 0.8], 0.4),
    "NormalInverseGaussian": (tfd.NormalInverseGaussian, [0.1, 0.8, 1.4, 0.5], 0.4),
    "PERT": (tfd.PERT, [0.1, 0.8, 2.3], 0.9),
    "Pareto": (tfd.Pareto, [1.4, 0.3], 0.9),
    "PowerSpherical": (
        lambda m, c: tfd.PowerSpherical(tf.math.l2_normalize(m, -1), c),
        [[0.1, 0.5, 0.8], 1.7],
        None,
    ),
    "RelaxedBernoulli": (lambda t, a: tfd.RelaxedBernoulli(t, logits=a), [0.7, 0.2], 0.4),
    "RelaxedOneHotCategorical": (
        lambda t, a: tfd.RelaxedOneHotCategorical(t, logits=a),
        [0.7, [0.1, 0.5, -0.4]],
        None,
    ),
    "Sample": (lambda m, s: tfd.Sample(Normal(m, s), 2), [0.1, 0.8], PAIR),
    "SigmoidBeta": (tfd.SigmoidBeta, [1.4, 2.1], 0.4),
    "SinhArcsinh": (tfd.SinhArcsinh, [0.1, 0.8, 0.2, 1.1], 0.4),
    "SphericalUniform": (lambda: tfd.SphericalUniform(3, dtype=tf.float64), [], None),
    "StudentT": (tfd.StudentT, [3.0, 0.1, 0.8], 0.4),
    "StudentTProcess": (
        lambda d, w: tfd.StudentTProcess(
            d, kernel(w), POINTS, observation_noise_variance=in_64(0.1)
        ),
        [4.0, 0.6],
        [0.1, 0.2, -0.3],
    ),
    "StudentTProcessRegressionModel": (
        lambda d, w, y: tfd.StudentTProcessRegressionModel(
            d, kernel(w), OTHERS, POINTS, y, observation_noise_variance=in_64(0.1)
        ),
        [4.0, 0.6, [0.1, 0.2, -0.3]],
        PAIR,
    ),
    "TransformedDistribution": (
        lambda m, s: tfd.TransformedDistribution(Normal(m, s), tfb.Softplus()),
        [0.1, 0.8],
        0.4,
    ),
    "Triangular": (tfd.Triangular, [0.1, 2.3, 0.9], 0.6),
    "TruncatedCauchy": (tfd.TruncatedCauchy, [0.1, 0.8, -1.0, 2.0], 0.4),
    "TruncatedNormal": (tfd.TruncatedNormal, [0.1, 0.8, -1.0, 2.0], 0.4),
    "TwoPieceNormal": (tfd.TwoPieceNormal, [0.1, 0.8, 1.3], 0.4),
    "TwoPieceStudentT": (tfd.TwoPieceStudentT, [3.0, 0.1, 0.8, 1.3], 0.4),
    "Uniform": (tfd.Uniform, [0.1, 2.3], 0.4),
    "VariationalGaussianProcess": (
        lambda w, m, s: tfd.VariationalGaussianProcess(
            kernel(w), OTHERS, POINTS[:2], m, lower(s), observation_noise_variance=in_64(0.1)
        ),
        [0.6, PAIR, SCALES],
        [0.1, 0.7],
    ),
    "VonMises": (tfd.VonMises, [0.1, 0.8], 0.4),
    "VonMisesFisher": (
        lambda m, c: tfd.VonMisesFisher(tf.math.l2_normalize(m, -1), c),
        [[0.1, 0.5, 0.8], 1.7],
        None,
    ),
    "Weibull": (tfd.Weibull, [1.4, 0.8], 0.4),
    "WishartLinearOperator": (
        lambda d, s: tfd.WishartLinearOperator(d, operator(s)),
        [4.0, SCALES],
        None,
    ),
    "WishartTriL": (lambda d, s: tfd.WishartTriL(d, lower(s)), [4.0, SCALES], None),
}
# By the parameters alone: there are no values between the values.
DISCRETE = {
    "Bernoulli": (lambda a: tfd.Bernoulli(logits=a), [0.4], 1.0),
    "BetaBinomial": (lambda a, b: tfd.BetaBinomial(in_64(4.0), a, b), [1.2, 2.3], 2.0),
    "Binomial": (lambda a: tfd.Binomial(in_64(4.0), logits=a), [0.4], 2.0),
    "Categorical": (lambda a: tfd.Categorical(logits=a), [[0.1, 0.5, -0.4]], 1),
    "DeterminantalPointProcess": (
        tfd.DeterminantalPointProcess,
        [SCALES, [[0.6, -0.8], [0.8, 0.6]]],
        [1, 0],
    ),
    "DirichletMultinomial": (
        lambda a: tfd.DirichletMultinomial(in_64(4.0), a),
        [[1.2, 2.0, 0.7]],
        [1.0, 1.0, 2.0],
    ),
    "Empirical": (tfd.Empirical, [[1.0, 1.0, 2.0]], 1.0),
    "FiniteDiscrete": (
        lambda a: tfd.FiniteDiscrete(in_64([1.0, 2.0, 4.0]), a),
        [[0.1, 0.5, -0.4]],
        2.0,
    ),
    "Geometric": (lambda a: tfd.Geometric(logits=a), [0.4], 2.0),
    "Inflated": (lambda a, r: tfd.Inflated(tfd.Poisson(r), inflated_loc_logits=a), [0.4, 1.3], 0.0),
    "Multinomial": (lambda a: tfd.Multinomial(in_64(4.0), a), [[0.1, 0.5, -0.4]], [1.0, 1.0, 2.0]),
    "NegativeBinomial": (tfd.NegativeBinomial, [3.0, 0.4], 2.0),
    "OneHotCategorical": (tfd.OneHotCategorical, [[0.1, 0.5, -0.4]], [0.0, 1.0, 0.0]),
    "OrderedLogistic": (
        lambda c, m: tfd.OrderedLogistic(cutpoints=c, loc=m),
        [[-0.7, 0.9], 0.3],
        1,
    ),
    "PlackettLuce": (tfd.PlackettLuce, [[0.2, 0.5, 0.9]], [2, 0, 1]),
    "Poisson": (tfd.Poisson, [1.3], 2.0),
    "PoissonLogNormalQuadratureCompound": (
        lambda m, s: tfd.PoissonLogNormalQuadratureCompound(m, s),
        [0.3, 0.8],
        2.0,
    ),
    "ProbitBernoulli": (tfd.ProbitBernoulli, [0.4], 1.0),
    "QuantizedDistribution": (
        lambda m, s: tfd.QuantizedDistribution(tfd.Logistic(m, s)),
        [0.1, 0.8],
        1.0,
    ),
    "Skellam": (tfd.Skellam, [1.3, 0.9], 2.0),
    "StoppingRatioLogistic": (tfd.StoppingRatioLogistic, [[-0.7, 0.9], 0.3], 1.0),
    "ZeroInflatedNegativeBinomial": (
        lambda a, n, b: tfd.ZeroInflatedNegativeBinomial(a, total_count=n, logits=b),
        [0.4, 3.0, 0.2],
        0.0,
    ),
    "Zipf": (tfd.Zipf, [2.3], 3.0),
}
# On a curved set of values, differences by the value alone would leave it: moved along it.
CURVED = {
    "CholeskyLKJ": (lambda t: tf.stack([[in_64(1.0), in_64(0.0)], [t, tf.sqrt(1 - t**2)]]), 0.6),
    "Dirichlet": (tf.nn.softmax, [0.1, 0.4, -0.2]),
    "ExpRelaxedOneHotCategorical": (tf.nn.log_softmax, [0.1, 0.4, -0.2]),
    "FlatDirichlet": (tf.nn.softmax, [0.1, 0.4, -0.2]),
    "LKJ": (lambda t: tf.stack([[in_64(1.0), t], [t, in_64(1.0)]]), 0.6),
    "PowerSpherical": (lambda x: tf.math.l2_normalize(x, -1), [0.3, 0.2, 0.9]),
    "RelaxedOneHotCategorical": (tf.nn.softmax, [0.1, 0.4, -0.2]),
    "SphericalUniform": (lambda x: tf.math.l2_normalize(x, -1), [0.3, 0.2, 0.9]),
    "VonMisesFisher": (lambda x: tf.math.l2_normalize(x, -1), [0.3, 0.2, 0.9]),
    "WishartLinearOperator": (lambda x: tf.linalg.diag(x) + 0.4, [1.3, 2.1]),
    "WishartTriL": (lambda x: tf.linalg.diag(x) + 0.4, [1.3, 2.1]),
}


def arranged(name, value):
    """Return a value as the distribution has it: those of joint ones are structures."""
    if not name.startswith(JOINT):
        return value
    first, second = tf.unstack(value)
    return {"a": first, "b": second} if "Named" in name else [first, second]


def differences(function, arguments, i):
    """Return the central differences of a function by an argument."""
    point = arguments[i]
    result = np.zeros(point.size)
    for k in range(point.size):
        step = np.zeros(point.size)
        step[k] = STEP
        step = step.reshape(point.shape)
        above, below = (
            float(function(*map(in_64, [*arguments[:i], point + s, *arguments[i + 1 :]])))
            for s in (step, -step)
        )
        result[k] = (above - below) / (2 * STEP)
    return result


def compare(name, make, parameters, value):
    """Return pairs of gradient and differences, by each parameter and by a continuous value."""
    arguments = [np.array(p, np.float64) for p in parameters]
    move, start = CURVED.get(name, (tf.identity, value))
    is_continuous = name in CONTINUOUS
    if is_continuous:
        arguments.append(np.array(start, np.float64))

    def log_prob(*given):
        at = arranged(name, move(given[-1])) if is_continuous else value
        if not is_continuous and not np.issubdtype(np.asarray(value).dtype, np.integer):
            at = in_64(value)
        made = make(*given[: len(parameters)])
        return tf.reduce_sum(made.log_prob(at))

    with tf.GradientTape() as tape:
        tensors = [tf.constant(a) for a in arguments]
        tape.watch(tensors)
        y = log_prob(*tensors)
    gradients = tape.gradient(y, tensors, unconnected_gradients="zero")
    return [
        (np.ravel(gradient).tolist(), differences(log_prob, arguments, i).tolist())
        for i, gradient in enumerate(gradients)
    ]


RESULTS = {}
for name, row in {**CONTINUOUS, **DISCRETE}.items():
    try:
        RESULTS[name] = compare(name, *row)
    except Exception as error:
        RESULTS[name] = f"{type(error).__name__}: {error}"
RESULTS["left out"] = sorted(
    name
    for name, kind in vars(tfd).items()
    if isinstance(kind, type)
    and issubclass(kind, tfd.Distribution)
    and name not in RESULTS.keys() | BASES | EXCEPTIONS
)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(RESULTS, file)
