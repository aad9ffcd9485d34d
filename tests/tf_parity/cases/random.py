"""Random numbers: given a seed, the values are those of TensorFlow."""

from __future__ import annotations

from ..case import CaseList
from ..inputs import array, normal, positive

case = CaseList()


def stateless(name, *arguments, seed=(1, 2), **options):
    """A case function that draws from a stateless distribution; dtypes are given by name."""

    def function(tf, **inputs):
        dtypes = {k: getattr(tf, v) if "dtype" in k else v for k, v in options.items()}
        return getattr(tf.random, f"stateless_{name}")(*arguments, seed=seed, **inputs, **dtypes)

    return function


for dtype in ("float32", "float64", "float16", "bfloat16"):
    case(f"uniform_{dtype}", stateless("uniform", [7], dtype=dtype), exact=True)
    case(f"normal_{dtype}", stateless("normal", [7], dtype=dtype))
    case(f"truncated_normal_{dtype}", stateless("truncated_normal", [7], dtype=dtype))
for seed in ((0, 0), (3, 4), (-1, 5), (2**31 - 1, 7)):
    label = "_".join(map(str, seed)).replace("-", "minus_")
    case(f"uniform_seed_{label}", stateless("uniform", [5], seed=seed), exact=True)
    case(f"normal_seed_{label}", stateless("normal", [5], seed=seed))
case("uniform_shape", stateless("uniform", [2, 3, 2]), exact=True)
case("uniform_scalar", stateless("uniform", []), exact=True)
case("uniform_range", stateless("uniform", [6], minval=-2.0, maxval=3.0), exact=True)
case("uniform_large", lambda tf: tf.reduce_mean(tf.random.stateless_uniform([3000], seed=[5, 6])))
case("uniform_int32", stateless("uniform", [8], minval=0, maxval=10, dtype="int32"))
case("uniform_int32_negative", stateless("uniform", [8], minval=-5, maxval=5, dtype="int32"))
case("uniform_int64", stateless("uniform", [8], minval=0, maxval=10**12, dtype="int64"))
case("uniform_full_int32", stateless("uniform", [5], minval=None, maxval=None, dtype="int32"))
case("uniform_full_int64", stateless("uniform", [5], minval=None, maxval=None, dtype="int64"))
case("uniform_full_uint32", stateless("uniform", [5], minval=None, maxval=None, dtype="uint32"))
case("uniform_full_uint64", stateless("uniform", [5], minval=None, maxval=None, dtype="uint64"))
case("uniform_empty", stateless("uniform", [0, 3]))
case("normal_shape", stateless("normal", [3, 4]))
case("normal_parameters", stateless("normal", [6], mean=2.0, stddev=0.5))
case("normal_odd_count", stateless("normal", [3], dtype="float64"))
case(
    "normal_reparameterized",
    lambda tf, m, s: tf.random.stateless_normal([4], [1, 2], m, s),
    m=normal(4),
    s=positive(4),
)
case(
    "normal_reparameterized_scalar",
    lambda tf, m, s: tf.random.stateless_normal([4], [1, 2], m, s),
    m=normal(),
    s=positive(),
)
case(
    "uniform_reparameterized",
    lambda tf, a, b: tf.random.stateless_uniform([4], [1, 2], a, b),
    a=normal(),
    b=positive(),
)
case("truncated_normal_parameters", stateless("truncated_normal", [6], mean=1.0, stddev=2.0))
case(
    "seed_tensor_int64",
    lambda tf, s: tf.random.stateless_uniform([4], seed=s),
    exact=True,
    s=array([11, 12], "int64"),
)
case(
    "seed_tensor_int32",
    lambda tf, s: tf.random.stateless_uniform([4], seed=s),
    exact=True,
    s=array([11, 12], "int32"),
)
for algorithm in ("philox", "auto_select"):
    case(f"uniform_{algorithm}", stateless("uniform", [4], alg=algorithm), exact=True)
case(
    "categorical",
    lambda tf, x: tf.random.stateless_categorical(x, 5, seed=[1, 2]),
    wrt="",
    x=normal(2, 4),
)
case(
    "categorical_int32",
    lambda tf, x: tf.random.stateless_categorical(x, 3, seed=[1, 2], dtype=tf.int32),
    wrt="",
    x=normal(2, 4),
)
case("gamma", lambda tf: tf.random.stateless_gamma([5], [1, 2], alpha=1.5))
case("gamma_small_alpha", lambda tf: tf.random.stateless_gamma([5], [1, 2], alpha=0.5, beta=2.0))
case("gamma_alphas", lambda tf: tf.random.stateless_gamma([3, 2], [1, 2], alpha=[0.5, 3.0]))
case(
    "gamma_float64", lambda tf: tf.random.stateless_gamma([4], [1, 2], alpha=2.0, dtype=tf.float64)
)
case(
    "gamma_gradient_of_alpha",
    lambda tf, a: tf.random.stateless_gamma([3, 2], [1, 2], a),
    rtol=1e-4,
    a=positive(2),
)
case("poisson", lambda tf: tf.random.stateless_poisson([6], [1, 2], lam=4.0))
case(
    "poisson_large", lambda tf: tf.random.stateless_poisson([6], [1, 2], lam=40.0, dtype=tf.float32)
)
case("poisson_rates", lambda tf: tf.random.stateless_poisson([3, 2], [1, 2], lam=[1.0, 20.0]))
case("binomial", lambda tf: tf.random.stateless_binomial([6], [1, 2], counts=10.0, probs=0.3))
case(
    "binomial_large", lambda tf: tf.random.stateless_binomial([6], [1, 2], counts=100.0, probs=0.6)
)
case(
    "parameterized_truncated_normal",
    lambda tf: tf.random.stateless_parameterized_truncated_normal([6], [1, 2], 0.0, 1.0, -1.0, 2.0),
)
case("split", lambda tf: tf.random.split([1, 2], 3))
case("fold_in", lambda tf: tf.random.fold_in([1, 2], 7))
case("experimental_stateless_split", lambda tf: tf.random.experimental.stateless_split([3, 4], 2))
case(
    "experimental_stateless_shuffle",
    lambda tf: tf.random.experimental.stateless_shuffle(tf.range(8), [1, 2]),
)
case(
    "experimental_stateless_fold_in", lambda tf: tf.random.experimental.stateless_fold_in([3, 4], 9)
)
case(
    "experimental_index_shuffle",
    lambda tf: tf.random.experimental.index_shuffle(tf.range(6), [1, 2], 5),
)
case(
    "stateless_dropout",
    lambda tf, x: tf.nn.experimental.stateless_dropout(x, 0.4, seed=[1, 2]),
    x=normal(3, 4),
)
case(
    "stateless_dropout_noise_shape",
    lambda tf, x: tf.nn.experimental.stateless_dropout(x, 0.5, seed=[1, 2], noise_shape=[3, 1]),
    x=normal(3, 4),
)
case("dropout_of_rate_zero", lambda tf, x: tf.nn.dropout(x, 0.0), x=normal(3))


def seeded(draw):
    """A case function that sets the global seed first."""

    def function(tf):
        tf.random.set_seed(42)
        return draw(tf)

    return function


case("global_seed_uniform", seeded(lambda tf: tf.random.uniform([4])), exact=True)
case("global_seed_normal", seeded(lambda tf: tf.random.normal([4])))
case("global_seed_two_draws", seeded(lambda tf: (tf.random.uniform([2]), tf.random.uniform([2]))))
case("global_and_op_seed", seeded(lambda tf: tf.random.uniform([4], seed=3)), exact=True)
case(
    "global_and_op_seed_twice",
    seeded(lambda tf: [tf.random.uniform([2], seed=3) for _ in range(2)]),
)
case("global_seed_integers", seeded(lambda tf: tf.random.uniform([6], 0, 100, tf.int32)))
case("global_seed_truncated_normal", seeded(lambda tf: tf.random.truncated_normal([4])))
case("global_seed_shuffle", seeded(lambda tf: tf.random.shuffle(tf.range(7), seed=5)))
case("global_seed_categorical", seeded(lambda tf: tf.random.categorical([[0.1, 0.5, 0.4]], 6)))
case("global_seed_gamma", seeded(lambda tf: tf.random.gamma([4], 2.0)))
case("global_seed_poisson", seeded(lambda tf: tf.random.poisson([4], 3.0)))
case("generator_uniform", lambda tf: tf.random.Generator.from_seed(7).uniform([4]), exact=True)
case("generator_normal", lambda tf: tf.random.Generator.from_seed(7).normal([2, 3]))
case(
    "generator_truncated_normal", lambda tf: tf.random.Generator.from_seed(7).truncated_normal([4])
)
case(
    "generator_integers",
    lambda tf: tf.random.Generator.from_seed(7).uniform([5], maxval=10, dtype=tf.int32),
)
case("generator_state_moves", lambda tf: _two_draws(tf))
case("generator_make_seeds", lambda tf: tf.random.Generator.from_seed(7).make_seeds(2))
case(
    "generator_full_int",
    lambda tf: tf.random.Generator.from_seed(7).uniform_full_int([3], dtype=tf.uint64),
)


def _two_draws(tf):
    generator = tf.random.Generator.from_seed(1, alg="philox")
    first, second = generator.normal([3]), generator.normal([3])
    return first, second, generator.state


case(
    "random_normal_initializer",
    lambda tf: tf.random_normal_initializer(stddev=0.1, seed=3)(shape=[3]),
)
