"""What wrong arguments of `tf.signal` and `tf.random` are told."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

INVALID = tf.errors.InvalidArgumentError
ONES = tf.ones([2, 3])
COMPLEX = tf.complex(ONES, ONES)
SEED = [1, 2]
signal, random, experimental = tf.signal, tf.random, tf.random.experimental
bounded = random.stateless_parameterized_truncated_normal
mel = signal.linear_to_mel_weight_matrix

# (call, class of the exception, words of its text)
WRONG = {
    # Fourier transforms
    "fft of reals": (
        lambda: signal.fft(ONES),
        INVALID,
        ["FFT", "complex64", "float32", "tf.signal.rfft"],
    ),
    "fft of text": (lambda: signal.fft2d("a"), TypeError, ["FFT2D", "string"]),
    "fft of a scalar": (
        lambda: signal.fft(tf.complex(1.0, 2.0)),
        INVALID,
        ["FFT", "rank of at least 1", "[]"],
    ),
    "ifft3d of a matrix": (lambda: signal.ifft3d(COMPLEX), ValueError, ["IFFT3D", "[2, 3]"]),
    "rfft of integers": (
        lambda: signal.rfft(tf.constant([1, 2])),
        ValueError,
        ["RFFT requires tf.float32", "int32", "(2,)", "tf.cast"],
    ),
    "rfft2d of a vector": (lambda: signal.rfft2d(tf.ones([3])), ValueError, ["RFFT2D", "[3]"]),
    "rfft length": (lambda: signal.rfft(ONES, [4, 4]), INVALID, ["shape [1]", "[4, 4]"]),
    "rfft scalar length": (lambda: signal.rfft(ONES, 4), TypeError, ["fft_length", "vector"]),
    "rfft negative length": (lambda: signal.rfft(ONES, [-1]), INVALID, ["fft_length[0]", "-1"]),
    "irfft of reals": (lambda: signal.irfft(ONES), ValueError, ["IRFFT requires", "float32"]),
    "irfft2d of a vector": (lambda: signal.irfft2d(COMPLEX[0]), ValueError, ["IRFFT2D", "[3]"]),
    "fftnd norm": (lambda: signal.fftnd(COMPLEX, norm="half"), ValueError, ["'ortho'", "'half'"]),
    "fftnd axis": (lambda: signal.fftnd(COMPLEX, axes=[2]), ValueError, ["axis 2", "rank 2"]),
    "fftnd axis twice": (lambda: signal.fftnd(COMPLEX, axes=[0, 0]), ValueError, ["twice"]),
    "fftnd no axes": (lambda: signal.fftnd(COMPLEX, axes=[]), ValueError, ["at least one axis"]),
    "fftnd of a scalar": (lambda: signal.fftnd(tf.complex(1.0, 2.0)), ValueError, ["FFTND"]),
    "fftshift axis": (lambda: signal.fftshift(ONES, axes=3), INVALID, ["axis 3", "rank 2"]),
    # cosine transforms
    "dct type": (lambda: signal.dct(ONES, type=5), ValueError, ["I, II, III and IV", "5"]),
    "dct ortho type 1": (lambda: signal.dct(ONES, type=1, norm="ortho"), ValueError, ["Type-I"]),
    "dct short type 1": (
        lambda: signal.dct(tf.ones([1]), type=1),
        ValueError,
        ["greater than one"],
    ),
    "dct axis": (lambda: signal.dct(ONES, axis=0), NotImplementedError, ["axis must be -1"]),
    "dct n": (lambda: signal.dct(ONES, n=0), ValueError, ["positive integer", "0"]),
    "dct norm": (lambda: signal.idct(ONES, norm="x"), ValueError, ["idct", "'ortho'", "x"]),
    "dct of integers": (lambda: signal.dct(tf.constant([1, 2])), TypeError, ["dct", "int32"]),
    "dct of a scalar": (lambda: signal.dct(tf.constant(1.0)), ValueError, ["dct", "rank"]),
    # windows
    "window dtype": (
        lambda: signal.hann_window(4, dtype=tf.int32),
        ValueError,
        ["hann_window", "floating point", "int32"],
    ),
    "window of negative length": (lambda: signal.vorbis_window(-1), INVALID, ["-1"]),
    "window length not a scalar": (
        lambda: signal.hamming_window([4]),
        ValueError,
        ["hamming_window", "window_length", "scalar", "[1]"],
    ),
    "window length not an integer": (
        lambda: signal.hann_window(4.5),
        TypeError,
        ["window_length", "integer", "4.5"],
    ),
    "empty kaiser window": (lambda: signal.kaiser_window(0), INVALID, [">= 1"]),
    # frames
    "frame of a scalar": (lambda: signal.frame(1.0, 2, 1), ValueError, ["frame", "rank"]),
    "frame axis": (lambda: signal.frame(ONES, 2, 1, axis=2), ValueError, ["axis 2"]),
    "frame length": (lambda: signal.frame(ONES, -2, 1), INVALID, ["frame_length", "-2"]),
    "frame step": (lambda: signal.frame(ONES, 2, 0), INVALID, ["frame_step", "0"]),
    "frame pad_value": (
        lambda: signal.frame(ONES, 2, 1, pad_end=True, pad_value=[1.0]),
        ValueError,
        ["pad_value", "scalar"],
    ),
    "overlap_and_add rank": (lambda: signal.overlap_and_add(tf.ones([3]), 1), ValueError, ["[3]"]),
    "overlap_and_add step": (
        lambda: signal.overlap_and_add(ONES, 1.5),
        ValueError,
        ["frame_step must be an integer", "1.5"],
    ),
    "overlap_and_add step 0": (lambda: signal.overlap_and_add(ONES, 0), INVALID, ["0"]),
    "stft rank": (lambda: signal.stft(1.0, 2, 1), ValueError, ["stft", "rank"]),
    "stft of integers": (lambda: signal.stft(tf.range(5), 2, 1), ValueError, ["int32"]),
    "inverse_stft rank": (lambda: signal.inverse_stft(COMPLEX[0], 4, 1), ValueError, ["[3]"]),
    "mdct length": (lambda: signal.mdct(tf.ones([8]), 6), ValueError, ["multiple of 4", "6"]),
    "inverse_mdct rank": (lambda: signal.inverse_mdct(tf.ones([8])), ValueError, ["[8]"]),
    "inverse_mdct size": (lambda: signal.inverse_mdct(ONES), ValueError, ["even", "[2, 3]"]),
    "inverse_mdct norm": (
        lambda: signal.inverse_mdct(tf.ones([2, 4]), norm="x"),
        ValueError,
        ["'ortho'", "x"],
    ),
    # mel features
    "mel bins": (lambda: mel(0), ValueError, ["num_mel_bins must be positive"]),
    "mel lower edge": (lambda: mel(lower_edge_hertz=-1.0), ValueError, ["non-negative", "-1.0"]),
    "mel edges": (lambda: mel(lower_edge_hertz=4000.0), ValueError, ["4000.0 >=", "3800.0"]),
    "mel sample rate": (lambda: mel(sample_rate=0), ValueError, ["sample_rate must be positive"]),
    "mel Nyquist": (lambda: mel(upper_edge_hertz=8000.0), ValueError, ["Nyquist", "8000.0"]),
    "mel dtype": (lambda: mel(dtype=tf.int32), ValueError, ["floating point"]),
    "mfccs of nothing": (
        lambda: signal.mfccs_from_log_mel_spectrograms(tf.ones([2, 0])),
        ValueError,
        ["num_mel_bins", "(2, 0)"],
    ),
    # arguments of random functions
    "shape is a scalar": (
        lambda: random.normal(3),
        INVALID,
        ["RandomStandardNormal", "vector", "3"],
    ),
    "shape is None": (lambda: random.normal(None), ValueError, ["None", "shape"]),
    "shape of floats": (lambda: random.uniform([2.5]), INVALID, ["integers", "[2.5]"]),
    "negative shape": (
        lambda: random.stateless_normal([2, -2], SEED),
        INVALID,
        ["Dimension -2", ">= 0"],
    ),
    "normal dtype": (lambda: random.normal([2], dtype=tf.int32), TypeError, ["int32"]),
    "normal complex": (
        lambda: random.normal([2], dtype=tf.complex64),
        INVALID,
        ["float64", "complex64"],
    ),
    "normal mean dtype": (
        lambda: random.normal([2], tf.constant(1.0, tf.float64)),
        ValueError,
        ["float32", "float64"],
    ),
    "normal mean shape": (lambda: random.normal([3], [1.0, 2.0]), INVALID, ["[3] vs. [2]"]),
    "op seed": (lambda: random.uniform([2], seed=[1, 2]), TypeError, ["seed", "[1, 2]"]),
    "op seed of text": (lambda: random.uniform([2], seed="a"), TypeError, ["seed", "'a'"]),
    "uniform without maxval": (
        lambda: random.uniform([2], dtype=tf.int32),
        ValueError,
        ["Must specify maxval", "int32"],
    ),
    "uniform dtype": (
        lambda: random.uniform([2], maxval=5, dtype=tf.int8),
        ValueError,
        ["int8", "int32"],
    ),
    "uniform empty range": (lambda: random.uniform([2], 5, 3, tf.int32), INVALID, ["5 >= 3"]),
    "uniform bounds": (
        lambda: random.uniform([2], [1, 2], 5, tf.int32),
        INVALID,
        ["minval must be 0-D"],
    ),
    "uniform one bound": (
        lambda: random.stateless_uniform([2], SEED, None, 3, tf.int32),
        ValueError,
        ["both None or not None", "maxval=3"],
    ),
    "uniform unsigned": (
        lambda: random.stateless_uniform([2], SEED, 0, 3, tf.uint32),
        ValueError,
        ["unsigned"],
    ),
    "categorical vector": (lambda: random.categorical(tf.ones([3]), 2), INVALID, ["matrix", "[3]"]),
    "categorical integers": (
        lambda: random.categorical([[1, 2]], 2),
        INVALID,
        ["logits", "int32", "tf.cast"],
    ),
    "categorical samples": (lambda: random.categorical(ONES, -1), INVALID, ["non-negative", "-1"]),
    "categorical samples vector": (
        lambda: random.categorical(ONES, [2]),
        INVALID,
        ["num_samples should be a scalar", "[1]"],
    ),
    "categorical classes": (
        lambda: random.categorical(tf.ones([2, 0]), 2),
        INVALID,
        ["num_classes should be positive"],
    ),
    "categorical dtype": (
        lambda: random.stateless_categorical(ONES, 2, SEED, tf.int8),
        ValueError,
        ["int8", "int32, int64"],
    ),
    "gamma dtype": (lambda: random.gamma([2], tf.constant([1])), ValueError, ["int32"]),
    "gamma bfloat16": (lambda: random.gamma([2], 1.0, dtype=tf.bfloat16), INVALID, ["bfloat16"]),
    "gamma shapes": (
        lambda: random.gamma([2], [1.0, 2.0], [1.0, 2.0, 3.0]),
        INVALID,
        ["[2] vs. [3]"],
    ),
    "stateless gamma shape": (
        lambda: random.stateless_gamma([3, 2], SEED, [1.0, 2.0, 3.0]),
        INVALID,
        ["must end with", "[3, 2]", "[3]"],
    ),
    "poisson dtype": (lambda: random.poisson([2], 1.5, tf.uint8), INVALID, ["uint8", "int32"]),
    "poisson rate": (
        lambda: random.poisson([2], tf.constant(1.5, tf.bfloat16)),
        INVALID,
        ["lam", "bfloat16"],
    ),
    "poisson infinite": (lambda: random.poisson([2], np.inf, tf.int32), INVALID, ["finite"]),
    "stateless poisson shape": (
        lambda: random.stateless_poisson([3], SEED, [[1.0, 2.0, 3.0]]),
        INVALID,
        ["must end with", "[1, 3]"],
    ),
    "binomial counts": (
        lambda: random.stateless_binomial([2], SEED, tf.constant([1, 2]), 0.5),
        INVALID,
        ["counts", "int32", "tf.cast"],
    ),
    "binomial dtypes": (
        lambda: random.stateless_binomial([2], SEED, tf.constant(2.0, tf.float64), 0.5),
        INVALID,
        ["float64", "float32"],
    ),
    "binomial shapes": (
        lambda: random.stateless_binomial([2], SEED, [1.0, 2.0], [0.5] * 3),
        INVALID,
        ["[2] vs. [3]"],
    ),
    "binomial shape": (
        lambda: random.stateless_binomial([2, 3], SEED, [1.0, 2.0], 0.5),
        INVALID,
        ["must end with"],
    ),
    "binomial result": (
        lambda: random.stateless_binomial([2], SEED, 5.0, 0.5, tf.uint8),
        INVALID,
        ["uint8"],
    ),
    "bounds out of order": (
        lambda: bounded([2], SEED, 0.0, 1.0, 2.0, 1.0),
        INVALID,
        ["minvals < maxvals"],
    ),
    "bounds of integers": (lambda: bounded([2], SEED, 0, 1, 1, 2), INVALID, ["int32"]),
    "bounds dtypes": (
        lambda: bounded([2], SEED, tf.constant(0.0, tf.float64)),
        INVALID,
        ["float64", "float32"],
    ),
    "bounds shape": (lambda: bounded([3], SEED, [0.0, 1.0]), INVALID, ["must end with", "[2]"]),
    # seeds, algorithms, generators
    "seed size": (
        lambda: random.stateless_normal([2], [1]),
        INVALID,
        ["seed must have shape [2], not [1]"],
    ),
    "seed scalar": (lambda: experimental.stateless_shuffle([1, 2], 1), INVALID, ["[2], not []"]),
    "seed of floats": (
        lambda: random.stateless_normal([2], [1.0, 2.0]),
        INVALID,
        ["int32 or int64", "float32"],
    ),
    "algorithm name": (
        lambda: random.stateless_normal([2], SEED, alg="x"),
        ValueError,
        ["`alg`", "x", "philox"],
    ),
    "algorithm number": (lambda: random.stateless_normal([2], SEED, alg=5), ValueError, ["5"]),
    "algorithm type": (
        lambda: random.stateless_normal([2], SEED, alg=1.5),
        TypeError,
        ["`alg`", "1.5"],
    ),
    "threefry": (
        lambda: random.stateless_normal([2], SEED, alg="threefry"),
        INVALID,
        ["ThreeFry", "'philox'"],
    ),
    "threefry generator": (
        lambda: random.Generator.from_seed(1, "threefry").normal([2]),
        tf.errors.UnimplementedError,
        ["ThreeFry"],
    ),
    "split of floats": (lambda: random.split([1.0, 2.0]), ValueError, []),
    "fold_in dtype": (lambda: random.fold_in(SEED, np.int8(1)), ValueError, ["int8"]),
    "generator of nothing": (lambda: random.Generator(), AssertionError, ["from_seed"]),
    "generator without alg": (lambda: random.Generator(state=[1, 2, 3]), AssertionError, ["alg"]),
    "generator state": (
        lambda: random.Generator.from_state([1, 2], "philox"),
        ValueError,
        ["state", "(2,)", "[3]"],
    ),
    "generator counter": (
        lambda: random.Generator.from_key_counter(1, [2], "philox"),
        ValueError,
        ["counter", "[2]"],
    ),
    "generator key": (
        lambda: random.Generator.from_key_counter([1], [2, 3], "philox"),
        ValueError,
        ["key", "[]"],
    ),
    "generator seed": (lambda: random.Generator.from_seed(None), ValueError, ["integers", "None"]),
    "generator variable": (
        lambda: random.Generator.from_state(tf.Variable([1, 2, 3]), "philox").normal([2]),
        INVALID,
        ["int64", "int32"],
    ),
    "generator integers": (
        lambda: random.Generator.from_seed(1).uniform([2], dtype=tf.int32),
        ValueError,
        ["both None or not None"],
    ),
    "generator dtype": (
        lambda: random.Generator.from_seed(1).uniform([2], 0, 3, tf.int8),
        INVALID,
        ["int8"],
    ),
    "generator words": (
        lambda: random.Generator.from_seed(1).uniform_full_int([2], tf.float32),
        INVALID,
        ["uint64", "float32"],
    ),
    "generator binomial": (
        lambda: random.Generator.from_seed(1).binomial([3], 5, 0.5),
        INVALID,
        ["counts", "int32"],
    ),
    # index shuffle
    "index too large": (lambda: experimental.index_shuffle(3, SEED, 2), INVALID, ["2 < 3"]),
    "index negative": (lambda: experimental.index_shuffle(-1, SEED, 5), INVALID, ["-1"]),
    "max_index negative": (lambda: experimental.index_shuffle(0, SEED, -5), INVALID, ["-5"]),
    "index of floats": (lambda: experimental.index_shuffle(0.0, SEED, 5), INVALID, ["float32"]),
    "index seed": (lambda: tf.random_index_shuffle(3, SEED, 10), INVALID, ["[3]", "[2]"]),
    "index seed rank": (
        lambda: experimental.index_shuffle(3, [SEED, SEED], 10),
        INVALID,
        ["[2, 2]"],
    ),
    "index rank": (lambda: tf.random_index_shuffle([[3]], [1, 2, 3], 10), INVALID, ["(1, 1)"]),
    "index rounds": (
        lambda: tf.random_index_shuffle(3, [1, 2, 3], 10, rounds=6),
        tf.errors.UnimplementedError,
        ["rounds=4", "6"],
    ),
    # dropout
    "dropout of integers": (
        lambda: tf.nn.dropout(tf.constant([1, 2]), 0.5),
        ValueError,
        ["floating point", "int32"],
    ),
    "dropout rate": (lambda: tf.nn.dropout(ONES, 1.0), ValueError, ["[0, 1)", "rate=1.0"]),
    "dropout rate list": (lambda: tf.nn.dropout(ONES, [0.5]), ValueError, ["rate=[0.5]"]),
    "dropout rate vector": (
        lambda: tf.nn.dropout(ONES, tf.constant([0.5])),
        ValueError,
        ["rank 0", "(1,)"],
    ),
    "dropout rate dtype": (
        lambda: tf.nn.dropout(ONES, tf.constant(0.5, tf.float64)),
        ValueError,
        ["float32", "float64"],
    ),
    "dropout noise shape": (
        lambda: tf.nn.dropout(ONES, 0.5, noise_shape=[2]),
        INVALID,
        ["[2]", "[2, 3]"],
    ),
    # initializers
    "initializer dtype": (
        lambda: tf.random_normal_initializer()([2], tf.int32),
        ValueError,
        ["floating point", "int32"],
    ),
    "initializer bool": (
        lambda: tf.random_uniform_initializer()([2], tf.bool),
        ValueError,
        ["numeric"],
    ),
    "initializer option": (
        lambda: tf.random_normal_initializer()([2], layout=1),
        TypeError,
        ["layout"],
    ),
}


@pytest.mark.parametrize(("call", "kind", "words"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_explained(call, kind, words):
    with pytest.raises(kind) as caught:
        call()
    text = str(caught.value)
    for word in words:
        assert word in text, text


def test_a_wrong_call_draws_nothing():
    """A seed is used up only by a call that succeeds in reading its arguments."""
    tf.random.set_seed(1)
    expected = tf.random.uniform([2]).numpy()
    tf.random.set_seed(1)
    for name in ("negative shape", "normal mean dtype", "categorical vector", "gamma shapes"):
        with pytest.raises(WRONG[name][1]):
            WRONG[name][0]()
    np.testing.assert_array_equal(tf.random.uniform([2]), expected)
    tf.random.set_seed(None)
