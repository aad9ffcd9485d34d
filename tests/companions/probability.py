"""What TensorFlow Probability computes: distributions, bijectors, optimizers, Markov chains.

Run by TensorFlow (with tf-keras), this program writes `data/probability.json`; run with gradtape as
TensorFlow, it is compared with that file:

    python tests/companions/probability.py tests/companions/data/probability.json
    gradtape run tests/companions/probability.py FILE
"""

import json
import sys

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd, tfb = tfp.distributions, tfp.bijectors
RESULTS = {}


def case(name, compute):
    try:
        values = [np.asarray(x) for x in tf.nest.flatten(compute())]
    except Exception as error:  # what TensorFlow cannot compute has no recorded value
        print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
        return
    RESULTS[name] = [np.asarray(x, float).round(7).tolist() for x in values]


x3 = [0.3, -0.2, 1.5]
p3 = [0.3, 0.2, 0.9]
L = [[1.0, 0.0, 0.0], [0.5, 2.0, 0.0], [0.1, 0.2, 0.7]]
D = {
    "Normal": lambda: (tfd.Normal([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]), x3),
    "MVNTriL": lambda: (tfd.MultivariateNormalTriL([0.0, 1.0, 2.0], L), x3),
    "MVNDiag": lambda: (tfd.MultivariateNormalDiag([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]), x3),
    "MVNFull": lambda: (
        tfd.MultivariateNormalFullCovariance([0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]]),
        [0.3, 0.4],
    ),
    "Categorical": lambda: (tfd.Categorical(logits=[0.1, 0.5, -1.0]), [0, 1, 2]),
    "OneHotCategorical": lambda: (tfd.OneHotCategorical(logits=[0.1, 0.5, -1.0]), [0.0, 1.0, 0.0]),
    "Gamma": lambda: (tfd.Gamma([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), p3),
    "InverseGamma": lambda: (tfd.InverseGamma([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), p3),
    "Beta": lambda: (tfd.Beta([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), p3),
    "Dirichlet": lambda: (tfd.Dirichlet([1.0, 2.0, 3.0]), [0.2, 0.3, 0.5]),
    "Bernoulli": lambda: (tfd.Bernoulli(logits=[1.0, 2.0, 3.0]), [0, 1, 1]),
    "Binomial": lambda: (tfd.Binomial(10.0, probs=[0.1, 0.2, 0.5]), [0.0, 1.0, 5.0]),
    "Poisson": lambda: (tfd.Poisson([1.0, 2.0, 3.0]), [0.0, 1.0, 4.0]),
    "Geometric": lambda: (tfd.Geometric(probs=[0.1, 0.2, 0.5]), [0.0, 1.0, 5.0]),
    "NegativeBinomial": lambda: (tfd.NegativeBinomial(5.0, probs=[0.1, 0.2, 0.5]), [0.0, 1.0, 5.0]),
    "Multinomial": lambda: (tfd.Multinomial(4.0, probs=[0.3, 0.3, 0.4]), [1.0, 2.0, 1.0]),
    "Uniform": lambda: (tfd.Uniform([0.0, 0.0, 1.0], [1.0, 2.0, 3.0]), [0.3, 1.2, 1.5]),
    "Exponential": lambda: (tfd.Exponential([1.0, 2.0, 3.0]), p3),
    "Laplace": lambda: (tfd.Laplace([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]), x3),
    "Cauchy": lambda: (tfd.Cauchy([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]), x3),
    "StudentT": lambda: (tfd.StudentT([3.0, 4.0, 5.0], [0.0, 1.0, 2.0], [1.0, 2.0, 3.0]), x3),
    "Logistic": lambda: (tfd.Logistic([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]), x3),
    "Gumbel": lambda: (tfd.Gumbel([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]), x3),
    "HalfNormal": lambda: (tfd.HalfNormal([1.0, 2.0, 3.0]), p3),
    "HalfCauchy": lambda: (tfd.HalfCauchy([0.0, 0.0, 0.0], [1.0, 2.0, 3.0]), p3),
    "LogNormal": lambda: (tfd.LogNormal([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]), p3),
    "Chi2": lambda: (tfd.Chi2([1.0, 2.0, 3.0]), p3),
    "Weibull": lambda: (tfd.Weibull([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), p3),
    "Pareto": lambda: (tfd.Pareto([1.0, 2.0, 3.0], [0.1, 0.2, 0.3]), p3),
    "Kumaraswamy": lambda: (tfd.Kumaraswamy([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), p3),
    "TruncatedNormal": lambda: (
        tfd.TruncatedNormal([0.0, 1.0, 2.0], [1.0, 2.0, 3.0], -1.0, 2.0),
        x3,
    ),
    "VonMises": lambda: (tfd.VonMises([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]), x3),
    "MixtureSameFamily": lambda: (
        tfd.MixtureSameFamily(
            tfd.Categorical(probs=[0.3, 0.7]), tfd.Normal([-1.0, 1.0], [0.1, 0.5])
        ),
        [0.5, -0.2],
    ),
    "Mixture": lambda: (
        tfd.Mixture(
            tfd.Categorical(probs=[0.3, 0.7]), [tfd.Normal(-1.0, 0.1), tfd.Normal(1.0, 0.5)]
        ),
        [0.5, -0.2],
    ),
    "Independent": lambda: (tfd.Independent(tfd.Normal([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]), 1), x3),
    "TransformedDistribution": lambda: (
        tfd.TransformedDistribution(tfd.Normal([0.0, 1.0, 2.0], 1.0), tfb.Exp()),
        p3,
    ),
    "RelaxedBernoulli": lambda: (
        tfd.RelaxedBernoulli(0.5, logits=[1.0, 2.0, 3.0]),
        [0.2, 0.3, 0.8],
    ),
    "RelaxedOneHot": lambda: (
        tfd.RelaxedOneHotCategorical(0.5, logits=[1.0, 2.0, 3.0]),
        [0.2, 0.3, 0.5],
    ),
    "Deterministic": lambda: (tfd.Deterministic([1.0, 2.0, 3.0]), [1.0, 2.0, 4.0]),
    "LKJ": lambda: (tfd.LKJ(2, 1.5), [[1.0, 0.3], [0.3, 1.0]]),
    "WishartTriL": lambda: (tfd.WishartTriL(5.0, L), np.eye(3, dtype=np.float32)),
    "MVStudentT": lambda: (
        tfd.MultivariateStudentTLinearOperator(
            4.0, [0.0, 1.0, 2.0], tf.linalg.LinearOperatorLowerTriangular(tf.constant(L))
        ),
        x3,
    ),
    "AR": lambda: (
        tfd.Autoregressive(
            lambda s: tfd.Independent(tfd.Normal(tf.zeros(2) if s is None else s * 0.5, 1.0), 1),
            tf.zeros(2),
        ),
        [0.1, 0.2],
    ),
    "HMM": lambda: (
        tfd.HiddenMarkovModel(
            tfd.Categorical(probs=[0.8, 0.2]),
            tfd.Categorical(probs=[[0.7, 0.3], [0.2, 0.8]]),
            tfd.Normal([0.0, 15.0], [5.0, 10.0]),
            4,
        ),
        [0.0, 1.0, 2.0, 15.0],
    ),
    "LGSSM": lambda: (
        tfd.LinearGaussianStateSpaceModel(
            3,
            tf.linalg.LinearOperatorIdentity(2),
            tfd.MultivariateNormalDiag(scale_diag=[1.0, 1.0]),
            tf.linalg.LinearOperatorIdentity(2),
            tfd.MultivariateNormalDiag(scale_diag=[1.0, 2.0]),
            tfd.MultivariateNormalDiag(scale_diag=[1.0, 1.0]),
        ),
        np.ones((3, 2), np.float32),
    ),
    "GP": lambda: (
        tfd.GaussianProcess(
            tfp.math.psd_kernels.ExponentiatedQuadratic(),
            np.linspace(0, 1, 3)[:, None].astype(np.float32),
            observation_noise_variance=0.1,
        ),
        x3,
    ),
    "Sample": lambda: (tfd.Sample(tfd.Normal(0.0, 1.0), 3), x3),
    "Blockwise": lambda: (
        tfd.Blockwise([tfd.Normal(0.0, 1.0), tfd.MultivariateNormalDiag([0.0, 0.0], [1.0, 1.0])]),
        [0.1, 0.2, 0.3],
    ),
    "JointSeq": lambda: (
        tfd.JointDistributionSequential([tfd.Normal(0.0, 1.0), lambda a: tfd.Normal(a, 1.0)]),
        [0.1, 0.2],
    ),
    "JointNamed": lambda: (
        tfd.JointDistributionNamed(dict(a=tfd.Normal(0.0, 1.0), b=lambda a: tfd.Normal(a, 1.0))),
        dict(a=0.1, b=0.2),
    ),
    "Empirical": lambda: (tfd.Empirical(tf.constant([1.0, 1.0, 2.0, 3.0])), 1.0),
    "Quantized": lambda: (tfd.QuantizedDistribution(tfd.Logistic(1.0, 2.0)), 3.0),
    "Skellam": lambda: (tfd.Skellam([1.0, 2.0], [2.0, 3.0]), [1.0, 2.0]),
    "ContinuousBernoulli": lambda: (tfd.ContinuousBernoulli(logits=[0.1, 0.4]), [0.3, 0.4]),
    "PERT": lambda: (tfd.PERT(0.0, 1.0, 2.0), 0.7),
    "Triangular": lambda: (tfd.Triangular(0.0, 2.0, 1.0), 0.7),
    "Zipf": lambda: (tfd.Zipf(2.0), [1.0, 3.0]),
    "PlackettLuce": lambda: (tfd.PlackettLuce([0.1, 0.2, 0.7]), [2, 0, 1]),
    "SinhArcsinh": lambda: (tfd.SinhArcsinh(0.0, 1.0, 0.2), [0.3]),
    "ExpGamma": lambda: (tfd.ExpGamma(2.0, 1.0), [0.3]),
    "VonMisesFisher": lambda: (tfd.VonMisesFisher([0.0, 0.0, 1.0], 2.0), [0.0, 0.6, 0.8]),
    "DirichletMultinomial": lambda: (
        tfd.DirichletMultinomial(4.0, [1.0, 2.0, 3.0]),
        [1.0, 1.0, 2.0],
    ),
    "BetaBinomial": lambda: (tfd.BetaBinomial(4.0, 1.0, 2.0), [1.0, 2.0]),
    "OrderedLogistic": lambda: (tfd.OrderedLogistic(cutpoints=[-1.0, 1.0], loc=0.3), [0, 1, 2]),
    "Moyal": lambda: (tfd.Moyal(0.0, 1.0), [0.3]),
    "Horseshoe": lambda: (tfd.Horseshoe(1.0), [0.3]),
    "GeneralizedPareto": lambda: (tfd.GeneralizedPareto(0.0, 1.0, 0.3), [0.3]),
}
B = {
    "Exp": lambda: tfb.Exp(),
    "Softplus": lambda: tfb.Softplus(),
    "Sigmoid": lambda: tfb.Sigmoid(),
    "Tanh": lambda: tfb.Tanh(),
    "Shift": lambda: tfb.Shift([1.0, 2.0, 3.0]),
    "Scale": lambda: tfb.Scale([1.0, 2.0, 3.0]),
    "Chain": lambda: tfb.Chain([tfb.Exp(), tfb.Shift(1.0), tfb.Scale(2.0)]),
    "Affine": lambda: tfb.Shift([1.0, 2.0, 3.0])(tfb.ScaleMatvecTriL(L)),
    "Invert": lambda: tfb.Invert(tfb.Exp()),
    "Identity": lambda: tfb.Identity(),
    "FillScaleTriL": lambda: tfb.FillScaleTriL(),
    "SoftmaxCentered": lambda: tfb.SoftmaxCentered(),
    "Softsign": lambda: tfb.Softsign(),
    "Power": lambda: tfb.Power(2.0),
    "Square": lambda: tfb.Square(),
    "Reciprocal": lambda: tfb.Reciprocal(),
    "Cumsum": lambda: tfb.Cumsum(),
    "Permute": lambda: tfb.Permute([2, 0, 1]),
    "Reshape": lambda: tfb.Reshape([3, 1]),
    "NormalCDF": lambda: tfb.NormalCDF(),
    "SinhArcsinh": lambda: tfb.SinhArcsinh(0.1, 0.5),
    "Ordered": lambda: tfb.Ascending(),
    "ScaleMatvecDiag": lambda: tfb.ScaleMatvecDiag([1.0, 2.0, 3.0]),
    "RealNVP": lambda: tfb.RealNVP(
        1,
        shift_and_log_scale_fn=lambda x, n, **k: (
            tf.tile(x, [1, n]) if x.shape.rank == 2 else tf.tile(x, [n]),
            None,
        ),
    ),
    "RQS": lambda: tfb.RationalQuadraticSpline(
        [[1.0, 1.0]] * 3, [[1.0, 1.0]] * 3, [[1.0]] * 3, range_min=0.0
    ),
    "CorrCholesky": lambda: tfb.CorrelationCholesky(),
}


def value_of(name, value):
    is_structure = name in ("JointSeq", "JointNamed")
    return tf.nest.map_structure(tf.constant, value) if is_structure else tf.constant(value)


def gradient(name, make):
    distribution, value = make()
    value = value_of(name, value)
    sources = tf.nest.flatten(value)
    if not all(x.dtype.is_floating for x in sources):
        raise NotImplementedError
    with tf.GradientTape() as tape:
        tape.watch(sources)
        y = tf.reduce_sum(distribution.log_prob(value))
    return [
        tf.zeros_like(x) if g is None else g for g, x in zip(tape.gradient(y, sources), sources)
    ]


for n, mk in D.items():
    case(f"{n}.log_prob", lambda: mk()[0].log_prob(value_of(n, mk()[1])))
    case(f"{n}.gradient", lambda: gradient(n, mk))
    case(f"{n}.sample", lambda: mk()[0].sample(2, seed=(1, 2)))
    for statistic in ("mean", "variance", "entropy"):
        case(f"{n}.{statistic}", lambda: getattr(mk()[0], statistic)())
for n, mk in B.items():
    x = tf.constant([0.3, 0.2, 0.6])
    case(f"{n}.forward", lambda: mk().forward(x))
    case(f"{n}.inverse", lambda: mk().inverse(mk().forward(x)))
    case(f"{n}.forward_log_det", lambda: mk().forward_log_det_jacobian(x, event_ndims=1))

NORMAL = tfd.Normal([0.0, 1.0], 1.0)
TARGET = tfd.MultivariateNormalTriL([0.0, 1.0, 2.0], L)
case("kl_normal", lambda: tfd.kl_divergence(NORMAL, tfd.Normal(1.0, 2.0)))
case(
    "kl_multivariate",
    lambda: tfd.kl_divergence(TARGET, tfd.MultivariateNormalDiag([0.0, 1.0, 1.0], [1.0, 2.0, 2.0])),
)


def bowl(x):
    return tf.reduce_sum((x - [1.0, 2.0]) ** 2)


def minimize():
    v = tf.Variable([1.0, 2.0])
    import tf_keras

    optimizer = tf_keras.optimizers.Adam(0.1)
    losses = tfp.math.minimize(lambda: tf.reduce_sum((v - 3.0) ** 2), 10, optimizer=optimizer)
    return losses, v.numpy()


def slope(x):
    return tfp.math.value_and_gradient(bowl, x)


def chain(kernel, traced=False):
    def run():
        return tfp.mcmc.sample_chain(
            20,
            current_state=tf.zeros(3),
            kernel=kernel,
            num_burnin_steps=5,
            trace_fn=None,
            seed=(3, 4),
        )

    return tf.function(run)() if traced else run()


HMC = tfp.mcmc.HamiltonianMonteCarlo(TARGET.log_prob, step_size=0.3, num_leapfrog_steps=3)
NUTS = tfp.mcmc.NoUTurnSampler(TARGET.log_prob, step_size=0.3)
case("minimize", minimize)
case(
    "value_and_gradient",
    lambda: tfp.math.value_and_gradient(lambda a, b: tf.sin(a) * b, [1.0, 2.0]),
)
case("lbfgs", lambda: tfp.optimizer.lbfgs_minimize(slope, tf.zeros(2)).position)
case("bfgs", lambda: tfp.optimizer.bfgs_minimize(slope, tf.zeros(2)).position)
case(
    "nelder_mead",
    lambda: tfp.optimizer.nelder_mead_minimize(bowl, initial_vertex=tf.zeros(2)).position,
)
case("hmc", lambda: chain(HMC))
case("hmc_in_a_function", lambda: chain(HMC, traced=True))
case("dual_averaging", lambda: chain(tfp.mcmc.DualAveragingStepSizeAdaptation(HMC, 5)))
case("nuts_in_a_function", lambda: chain(NUTS, traced=True))
case("random_walk", lambda: chain(tfp.mcmc.RandomWalkMetropolis(TARGET.log_prob)))
case("effective_sample_size", lambda: tfp.mcmc.effective_sample_size(tf.sin(tf.range(50.0))))
case(
    "scale_reduction",
    lambda: tfp.mcmc.potential_scale_reduction(tf.reshape(tf.sin(tf.range(60.0)), [30, 2])),
)
case("percentile", lambda: tfp.stats.percentile([1.0, 4.0, 2.0, 8.0], 50.0))
case(
    "correlation", lambda: tfp.stats.correlation(tf.constant([[1.0, 2.0], [3.0, 5.0], [4.0, 1.0]]))
)
case(
    "special_functions",
    lambda: [
        tfp.math.betainc(0.3, 0.4, 0.5),
        tfp.math.lbeta(2.0, 3.0),
        tfp.math.lambertw(1.0),
        tfp.math.erfcx(1.0),
        tfp.math.bessel_kve(1.0, 2.0),
        tfp.math.igammainv(2.0, 0.3),
        tfp.math.owens_t(0.3, 0.4),
    ],
)
case(
    "ode",
    lambda: (
        tfp.math.ode.DormandPrince()
        .solve(lambda t, y: -y, 0.0, 1.0, solution_times=[0.5, 1.0])
        .states
    ),
)
case(
    "variational_loss",
    lambda: tfp.vi.monte_carlo_variational_loss(
        tfd.Normal(0.0, 1.0).log_prob, tfd.Normal(0.5, 1.0), sample_size=5, seed=(1, 2)
    ),
)


def transformed_variable():
    scale = tfp.util.TransformedVariable(2.0, tfb.Exp())
    distribution = tfd.Normal(0.0, scale)
    with tf.GradientTape() as tape:
        y = distribution.log_prob(1.0)
    return tape.gradient(y, distribution.trainable_variables)


def time_series():
    series = np.arange(8.0).astype(np.float32)
    model = tfp.sts.LocalLinearTrend(observed_time_series=series)
    return model.joint_distribution(series).log_prob(level_scale=1.0, slope_scale=1.0)


case("transformed_variable", transformed_variable)
case("time_series", time_series)
case(
    "distribution_layer",
    lambda: tfp.layers.DistributionLambda(lambda t: tfd.Normal(t, 1.0))(
        tf.constant([[1.0]])
    ).mean(),
)
case(
    "in_a_function",
    lambda: tf.function(lambda x: tfd.Normal(x, 1.0).log_prob(2.0))(tf.constant(1.0)),
)
case(
    "distribution_as_argument",
    lambda: tf.function(lambda d: d.log_prob(2.0))(tfd.Normal(1.0, 1.0)),
)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(RESULTS, file, indent=0)
    file.write("\n")
