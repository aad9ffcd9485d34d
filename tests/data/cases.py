"""Small pipelines whose elements, specs, lengths and errors are TensorFlow's.

Each case is a function of the module `tf`. `tests/recorded/record.py` runs them with TensorFlow and
writes `recorded.json`; `test_recorded.py` beside it runs them with gradtape and compares.
"""

import collections

import numpy as np

CASES = {}
Point = collections.namedtuple("Point", ["x", "y"])


def case(function):
    assert function.__name__ not in CASES
    CASES[function.__name__] = lambda tf, directory: function(tf)
    return function


def case_with_files(function):
    """A case that is given a folder to write to."""
    assert function.__name__ not in CASES
    CASES[function.__name__] = function
    return function


def plain(value):
    """A result as JSON can hold it, with dtypes and shapes."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, dict):
        return {"dict": [[key, plain(value[key])] for key in value]}
    if hasattr(value, "_fields"):
        return {type(value).__name__: [plain(item) for item in value]}
    if isinstance(value, tuple):
        return {"tuple": [plain(item) for item in value]}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if hasattr(value, "element_spec") and hasattr(value, "__iter__"):
        return {"dataset": [plain(item) for item in value]}
    if type(value).__name__.endswith("Spec"):
        return spec_text(value)
    array = np.asarray(value)
    kind = "string" if array.dtype == object else array.dtype.name
    values = np.vectorize(repr, otypes=[object])(array).tolist() if array.size else []
    return [kind, list(array.shape), values]


def spec_text(spec):
    if type(spec).__name__ == "DatasetSpec":
        return f"DatasetSpec({plain(spec.element_spec)})"
    return repr(spec)


def ds_range(tf, *args):
    return tf.data.Dataset.range(*args)


def slices(tf, value):
    return tf.data.Dataset.from_tensor_slices(value)


# --- sources -------------------------------------------------------------------------------------


@case
def from_tensors_nested(tf):
    ds = tf.data.Dataset.from_tensors(({"b": [1, 2], "a": 1.5}, ("x", [[True]])))
    return [ds, ds.element_spec, len(ds)]


@case
def from_tensors_list_is_a_tensor(tf):
    ds = tf.data.Dataset.from_tensors([[1, 2], [3, 4]])
    return [ds, ds.element_spec]


@case
def from_tensor_slices_dtypes(tf):
    values = ([1, 2], [1.0, 2.0], ["a", "bc"], np.arange(2), np.ones((2, 3)), [True, False])
    ds = slices(tf, values)
    return [ds, ds.element_spec]


@case
def from_tensor_slices_dict(tf):
    ds = slices(tf, {"z": [1, 2], "a": ([3, 4], [5.0, 6.0])})
    return [ds, ds.element_spec]


@case
def from_tensor_slices_named_tuple(tf):
    ds = slices(tf, Point([1, 2], [3, 4])).map(lambda p: Point(p.y, p.x))
    return [ds, ds.element_spec]


@case
def from_tensor_slices_scalar(tf):
    return slices(tf, 3)


@case
def from_tensor_slices_uneven(tf):
    return slices(tf, ([1, 2], [1, 2, 3]))


@case
def from_tensor_slices_empty(tf):
    ds = slices(tf, np.zeros((0, 2), np.float32))
    return [ds, ds.element_spec, len(ds)]


@case
def ranges(tf):
    return [
        ds_range(tf, 3),
        ds_range(tf, 2, 5),
        ds_range(tf, 5, 0, -2),
        ds_range(tf, 1, 1),
        tf.data.Dataset.range(3, output_type=tf.float32),
        ds_range(tf, 5).element_spec,
    ]


@case
def counter(tf):
    ds = tf.data.Dataset.counter(3, -2)
    return [ds.take(3), ds.cardinality(), ds.element_spec]


@case
def generator_signature(tf):
    def generate():
        for i in range(3):
            yield i, [float(i)] * i

    signature = (tf.TensorSpec((), tf.int32), tf.TensorSpec((None,), tf.float32))
    ds = tf.data.Dataset.from_generator(generate, output_signature=signature)
    return [ds, ds, ds.element_spec, ds.cardinality()]


@case
def generator_types(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([{"a": 1, "b": [1, 2]}]), {"a": tf.int64, "b": tf.float32}, {"a": [], "b": [2]}
    )
    return [ds, ds.element_spec]


@case
def generator_types_only(tf):
    ds = tf.data.Dataset.from_generator(lambda: [1, 2, 3], tf.int32)
    return [ds, ds.element_spec]


@case
def generator_arguments(tf):
    def generate(stop, scale):
        return (scale * i for i in range(stop))

    return tf.data.Dataset.from_generator(generate, tf.float32, args=[3, 0.5])


@case
def generator_wrong_shape(tf):
    signature = tf.TensorSpec((3,), tf.int32)
    return tf.data.Dataset.from_generator(lambda: [[1, 2]], output_signature=signature)


@case
def generator_wrong_type(tf):
    return tf.data.Dataset.from_generator(lambda: ["a"], tf.int32)


@case
def generator_wrong_structure(tf):
    return tf.data.Dataset.from_generator(lambda: [1], (tf.int32, tf.int32))


@case
def generator_without_types(tf):
    return tf.data.Dataset.from_generator(lambda: [1])


@case
def generator_error(tf):
    def generate():
        yield 1
        raise KeyError("broken")

    return list(tf.data.Dataset.from_generator(generate, tf.int32).take(1))


# --- order ---------------------------------------------------------------------------------------


@case
def shuffle_seeds(tf):
    actual = []
    for global_seed, seed in ((None, 5), (3, 5), (3, None), (7, None)):
        for size in (1, 3, 10, 100):
            for fresh in (True, False):
                tf.random.set_seed(global_seed if global_seed is not None else 0)
                ds = ds_range(tf, 10).shuffle(size, seed, fresh)
                actual += [ds, ds]
    return actual


@case
def shuffle_and_repeat(tf):
    tf.random.set_seed(1)
    return [ds_range(tf, 5).shuffle(5).repeat(3), ds_range(tf, 5).repeat(3).shuffle(4)]


def classes_of_samples() -> np.ndarray:
    return np.random.default_rng(0).choice(3, size=200, p=[0.7, 0.25, 0.05]).astype(np.int32)


@case
def rejection_resample(tf):
    """The distribution of the classes is given or estimated; some, all or no elements are as they
    were."""
    classes = classes_of_samples()
    ds = slices(tf, (np.arange(200.0), classes))
    actual = []
    for initial in ([0.7, 0.25, 0.05], None):
        for target in ([1 / 3, 1 / 3, 1 / 3], [0.7, 0.25, 0.05], [0.0, 0.5, 0.5]):
            resampled = ds.rejection_resample(lambda x, y: y, target, initial, seed=5)
            actual.append([(int(y), float(x)) for y, (x, _) in resampled.take(25)])
    tf.random.set_seed(7)
    resampled = slices(tf, classes).rejection_resample(lambda y: y, [0.2, 0.3, 0.5])
    return [*actual, repr(resampled.element_spec), [int(y) for y, _ in resampled.take(25)]]


@case
def rejection_resample_of_a_transformation(tf):
    apply = tf.data.experimental.rejection_resample(
        lambda y: y, [0.2, 0.3, 0.5], [0.7, 0.25, 0.05], seed=3
    )
    ds = slices(tf, classes_of_samples()).apply(apply)
    return [int(y) for y, _ in ds.repeat(2)]


@case
def shuffle_batches(tf):
    tf.random.set_seed(2)
    ds = slices(tf, (np.arange(20), np.arange(40.0).reshape(20, 2))).shuffle(8)
    return [ds.batch(6), ds.batch(6, drop_remainder=True).repeat(2)]


@case
def shuffle_long(tf):
    tf.random.set_seed(4)
    return list(ds_range(tf, 1000).shuffle(300).batch(1000))


@case
def shuffle_of_shuffle(tf):
    tf.random.set_seed(4)
    return ds_range(tf, 12).shuffle(4).map(lambda x: x * 10).shuffle(5).repeat(2)


@case
def shuffle_bad_buffer(tf):
    return ds_range(tf, 3).shuffle(0)


@case
def shuffle_unknown_buffer(tf):
    tf.random.set_seed(9)
    return ds_range(tf, 30).shuffle(tf.data.UNKNOWN_CARDINALITY)


@case
def draws_beside_shuffle(tf):
    tf.random.set_seed(5)
    before = tf.random.uniform([2])
    ds = ds_range(tf, 6).shuffle(6)
    after = tf.random.uniform([2])
    return [before, ds, after, ds, tf.random.uniform([2])]


@case
def repeat_take_skip(tf):
    ds = ds_range(tf, 4)
    return [
        ds.repeat(2),
        ds.repeat(0),
        ds.take(2),
        ds.take(9),
        ds.take(-1),
        ds.skip(3),
        ds.skip(9),
        ds.skip(-1),
        ds.repeat().take(9),
        ds.repeat(3).skip(5).take(4),
    ]


@case
def shards(tf):
    ds = ds_range(tf, 10)
    return [ds.shard(3, 0), ds.shard(3, 2), ds.shard(1, 0), ds.shard(3, 1).batch(2)]


@case
def shard_bad_index(tf):
    return ds_range(tf, 10).shard(3, 3)


@case
def concatenation(tf):
    ds = slices(tf, np.ones((2, 3))).concatenate(slices(tf, np.zeros((1, 2))))
    return [ds, ds.element_spec, len(ds)]


@case
def concatenation_mismatch(tf):
    return ds_range(tf, 3).concatenate(slices(tf, [1.0]))


@case
def zips(tf):
    a, b = ds_range(tf, 3), slices(tf, (["x", "y", "z", "w"], [1, 2, 3, 4]))
    return [
        tf.data.Dataset.zip((a, b)),
        tf.data.Dataset.zip(a, b),
        tf.data.Dataset.zip({"p": a, "q": b}),
        tf.data.Dataset.zip((a, (b, a))).element_spec,
        tf.data.Dataset.zip(a),
        len(tf.data.Dataset.zip((a, b))),
    ]


@case
def zip_of_slices_in_batches(tf):
    a, b = slices(tf, np.arange(5)), slices(tf, {"k": np.arange(8.0)})
    tf.random.set_seed(1)
    return tf.data.Dataset.zip((a, b)).shuffle(10).batch(2)


@case
def zip_list(tf):
    return tf.data.Dataset.zip([ds_range(tf, 3), ds_range(tf, 3)])


@case
def enumeration(tf):
    ds = slices(tf, [[1.0], [2.0]]).enumerate(start=5)
    return [ds, ds.element_spec, ds.map(lambda i, x: (x, i))]


# --- functions -----------------------------------------------------------------------------------


@case
def map_structures(tf):
    ds = slices(tf, ([1, 2], [3.0, 4.0]))
    return [
        ds.map(lambda a, b: {"sum": tf.cast(a, tf.float32) + b, "pair": (a, b)}),
        ds.map(lambda *parts: parts[0]),
        ds.map(lambda a, b: (a, [b, b])),
        ds.map(lambda a, b: [a, b]),
        ds.map(lambda a, b: 7),
        ds.map(lambda a, b: (np.ones(2), "s", None)),
        ds.map(lambda a, b: ((a, b),)).map(lambda pair: pair[1]),
    ]


@case
def map_specs(tf):
    ds = slices(tf, np.zeros((5, 3), np.float32)).batch(2)
    return [
        ds.map(lambda x: tf.reduce_sum(x, 1)).element_spec,
        ds.map(lambda x: tf.reduce_sum(x, 0)).element_spec,
        ds.map(lambda x: {"a": tf.shape(x), "b": x[..., None]}).element_spec,
        ds.map(lambda x: tf.cast(x, tf.int32)).filter(lambda x: True).element_spec,
        ds.batch(2, drop_remainder=True).map(lambda x: tf.reshape(x, [-1])).element_spec,
        slices(tf, ["a"]).map(lambda s: (s, tf.constant(1))).element_spec,
    ]


@case
def map_dict_element(tf):
    return slices(tf, {"a": [1, 2], "b": [3, 4]}).map(lambda d: d["a"] + d["b"])


@case
def map_parallel(tf):
    ds = ds_range(tf, 50).map(lambda x: x * x, num_parallel_calls=4)
    return [ds, ds.element_spec, len(ds), ds.map(lambda x: -x, num_parallel_calls=tf.data.AUTOTUNE)]


@case
def map_error(tf):
    return list(slices(tf, [1.0, 2.0]).map(lambda x: tf.reshape(x, [3])))


@case
def map_of_variable(tf):
    v = tf.Variable(3.0)
    ds = slices(tf, [1.0, 2.0]).map(lambda x: x * v)
    with tf.GradientTape() as tape:
        total = sum(iter(ds), tf.constant(0.0))
    return [total, tape.gradient(total, v)]


@case
def filters(tf):
    ds = ds_range(tf, 10)
    actual = ds.filter(lambda x: x % 3 == 0)
    pairs = slices(tf, ([1, 2, 3], ["a", "b", "c"])).filter(lambda n, s: n != 2)
    return [actual, actual.cardinality(), pairs, ds.take_while(lambda x: x < 4)]


@case
def filter_not_bool(tf):
    return list(ds_range(tf, 3).filter(lambda x: x))


@case
def flat_maps(tf):
    ds = slices(tf, [[1, 2, 3], [4, 5, 6]])
    flat = ds.flat_map(lambda x: tf.data.Dataset.from_tensor_slices(x))
    return [flat, flat.element_spec, flat.cardinality()]


@case
def interleaves(tf):
    def inner(x):
        return tf.data.Dataset.from_tensors(x).repeat(x % 4)

    ds = ds_range(tf, 1, 9)
    return [
        ds.interleave(inner, cycle_length=c, block_length=b)
        for c in (1, 2, 3, 9)
        for b in (1, 2, 5)
    ]


@case
def interleaves_parallel(tf):
    def inner(x):
        return tf.data.Dataset.from_tensors(x).repeat(5)

    ds = ds_range(tf, 1, 9)
    return [
        ds.interleave(inner, cycle_length=c, block_length=b, num_parallel_calls=2)
        for c in (2, 3)
        for b in (1, 2)
    ]


@case
def interleave_spec(tf):
    ds = ds_range(tf, 3).interleave(lambda x: ds_range(tf, 3).batch(2), cycle_length=2)
    return [ds, ds.element_spec]


@case
def scans(tf):
    ds = ds_range(tf, 6).scan(np.int64(0), lambda state, x: (state + x, (state, x)))
    return [ds, ds.element_spec]


@case
def scan_wrong_state(tf):
    return list(ds_range(tf, 3).scan(np.int64(0), lambda s, x: (tf.cast(s, tf.float32), x)))


@case
def reductions(tf):
    pairs = slices(tf, ([1, 2], [3, 4]))
    return [
        ds_range(tf, 5).reduce(np.int64(0), lambda s, x: s + x),
        ds_range(tf, 5).reduce((np.int64(0), 1.0), lambda s, x: (s[0] + x, s[1] * 2.0)),
        pairs.reduce(0, lambda s, element: s + element[0] * element[1]),
    ]


@case
def reduction_wrong_state(tf):
    return ds_range(tf, 5).reduce(0.0, lambda s, x: x)


@case
def uniques(tf):
    return [slices(tf, [1, 2, 1, 3, 2]).unique(), slices(tf, ["a", "b", "a"]).unique()]


@case
def ignored_errors(tf):
    ds = slices(tf, [1.0, 2.0, 0.0, 4.0])
    return ds.map(lambda x: tf.debugging.check_numerics(1.0 / x, "")).ignore_errors()


@case
def applied(tf):
    return ds_range(tf, 10).apply(lambda ds: ds.filter(lambda x: x < 5))


@case
def applied_wrong(tf):
    return ds_range(tf, 10).apply(lambda ds: 3)


# --- groups --------------------------------------------------------------------------------------


@case
def batches(tf):
    ds = slices(tf, {"a": np.arange(5), "b": (["p", "q", "r", "s", "t"], np.ones((5, 2)))})
    actual = [ds.batch(2), ds.batch(2, drop_remainder=True), ds.batch(9), ds.batch(2).batch(2)]
    return [
        *actual[:3],
        ds.map(lambda d: d["a"]).batch(2).batch(2, drop_remainder=True),
        *(each.element_spec for each in actual),
        [len(each) for each in actual],
    ]


@case
def batch_of_mapped(tf):
    return ds_range(tf, 7).map(lambda x: (x, tf.fill([2], x))).batch(3)


@case
def batch_of_different_shapes(tf):
    return list(ds_range(tf, 3).map(lambda x: tf.fill([x], x)).batch(3))


@case
def batch_zero(tf):
    return ds_range(tf, 3).batch(0)


@case
def padded(tf):
    ds = ds_range(tf, 1, 5).map(lambda x: tf.fill([x], x))
    pairs = tf.data.Dataset.zip((ds, ds.map(lambda x: tf.cast(x, tf.float32))))
    return [
        ds.padded_batch(2),
        ds.padded_batch(3, padded_shapes=[6], padding_values=np.int64(-1)),
        ds.padded_batch(2, drop_remainder=True, padded_shapes=[None]),
        pairs.padded_batch(2, padded_shapes=([None], [5]), padding_values=(np.int64(-1), 0.5)),
        pairs.padded_batch(4, padding_values=None),
    ]


@case
def padded_specs(tf):
    ds = ds_range(tf, 1, 5).map(lambda x: tf.fill([x], x))
    return [ds.padded_batch(2).element_spec, ds.padded_batch(2, padded_shapes=[7]).element_spec]


@case
def padded_strings_and_matrices(tf):
    text = tf.data.Dataset.from_generator(lambda: [["a"], ["b", "c"]], tf.string, [None])
    table = tf.data.Dataset.from_generator(
        lambda: [np.ones((1, 2)), np.ones((2, 1))], tf.float32, [None, None]
    )
    return [text.padded_batch(2), table.padded_batch(2), table.padded_batch(2, [3, None])]


@case
def padded_too_small(tf):
    ds = ds_range(tf, 1, 5).map(lambda x: tf.fill([x], x))
    return list(ds.padded_batch(4, padded_shapes=[2]))


@case
def unbatched(tf):
    ds = slices(tf, (np.arange(6), np.ones((6, 2)))).batch(4)
    return [ds.unbatch(), ds.unbatch().element_spec, ds.unbatch().cardinality()]


@case
def rebatched(tf):
    ds = ds_range(tf, 10).batch(4)
    return [
        ds.rebatch(3),
        ds.rebatch(3, drop_remainder=True),
        ds.rebatch([2, 1]),
        ds.rebatch(20),
        ds.rebatch(3, drop_remainder=True).element_spec,
        ds.rebatch(3).element_spec,
    ]


@case
def windows(tf):
    ds = ds_range(tf, 7)
    actual = []
    for size in (1, 3, 10):
        for shift in (None, 1, 5):
            for stride in (1, 2):
                for drop in (False, True):
                    window = ds.window(size, shift, stride, drop)
                    actual += [list(window), len(window)]
    return actual


@case
def windows_of_structures(tf):
    ds = slices(tf, {"a": np.arange(4), "b": np.ones((4, 2))}).window(3)
    return [list(ds), ds.element_spec, ds.flat_map(lambda d: d["a"].batch(2))]


@case
def windows_flattened(tf):
    ds = ds_range(tf, 10).window(4, shift=1, drop_remainder=True).flat_map(lambda w: w.batch(4))
    return ds.map(lambda w: (w[:-1], w[-1:])).batch(3)


@case
def grouped(tf):
    ds = ds_range(tf, 12)
    return [
        ds.group_by_window(lambda x: x % 3, lambda key, window: window.batch(2), window_size=2),
        ds.group_by_window(lambda x: x % 2, lambda key, window: window.batch(9), window_size=4),
        ds.group_by_window(
            lambda x: x % 2, lambda k, w: w.map(lambda x: (k, x)), window_size_func=lambda k: k + 2
        ),
    ]


@case
def bucketed(tf):
    lengths = [1, 5, 3, 7, 2, 2, 6, 1, 8, 4]
    ds = tf.data.Dataset.from_generator(
        lambda: (np.full(n, n) for n in lengths), tf.int64, output_shapes=[None]
    )
    return [
        ds.bucket_by_sequence_length(lambda x: tf.shape(x)[0], [3, 5], [2, 2, 2]),
        ds.bucket_by_sequence_length(
            lambda x: tf.shape(x)[0],
            [3, 5],
            [3, 2, 2],
            drop_remainder=True,
            padding_values=np.int64(-1),
        ),
        ds.bucket_by_sequence_length(
            lambda x: tf.shape(x)[0], [3, 5, 10], [2, 2, 2, 2], pad_to_bucket_boundary=True
        ),
    ]


# --- mixtures ------------------------------------------------------------------------------------


@case
def samples(tf):
    tf.random.set_seed(1)
    sets = [tf.data.Dataset.from_tensors(i).repeat(20) for i in range(3)]
    return [
        tf.data.Dataset.sample_from_datasets(sets, seed=3),
        tf.data.Dataset.sample_from_datasets(sets, [0.5, 0.2, 0.3], seed=4),
        tf.data.Dataset.sample_from_datasets(
            sets, [0.9, 0.0, 0.1], seed=5, stop_on_empty_dataset=True
        ),
        tf.data.Dataset.sample_from_datasets(sets),
    ]


@case
def choices(tf):
    sets = [tf.data.Dataset.from_tensors(i).repeat(2) for i in range(3)]
    choice = tf.data.Dataset.range(3).repeat(4)
    return [
        tf.data.Dataset.choose_from_datasets(sets, choice),
        tf.data.Dataset.choose_from_datasets(sets, choice, stop_on_empty_dataset=False),
    ]


@case
def random_numbers(tf):
    tf.random.set_seed(6)
    ds = tf.data.Dataset.random(seed=4)
    fresh = tf.data.Dataset.random(seed=4, rerandomize_each_iteration=True)
    return [ds.take(5), ds.take(5), fresh.take(4), fresh.take(4), ds.element_spec, ds.cardinality()]


# --- lengths, iterators, options -----------------------------------------------------------------


@case
def cardinalities(tf):
    ds = ds_range(tf, 10)
    inf = ds.repeat()
    actual = [
        ds,
        inf,
        ds.filter(lambda x: True),
        ds.batch(3),
        ds.batch(3, drop_remainder=True),
        inf.batch(2),
        inf.take(4),
        ds.skip(4),
        inf.skip(1),
        ds.shard(4, 3),
        ds.concatenate(inf),
        tf.data.Dataset.zip((ds, inf)),
        ds.prefetch(2),
        ds.cache(),
        ds.shuffle(3),
        ds.window(3),
        ds.repeat(3),
        ds.enumerate(),
        ds.batch(2).unbatch(),
        ds.interleave(lambda x: ds, 2),
        ds.map(lambda x: x),
        ds.filter(lambda x: True).repeat(),
        inf.window(2),
        ds.take(0).repeat(),
        ds.padded_batch(4),
        ds.batch(4).rebatch(3),
        ds.repeat(0),
    ]
    return [each.cardinality() for each in actual]


@case
def length_unknown(tf):
    return len(ds_range(tf, 10).filter(lambda x: True))


@case
def length_infinite(tf):
    return len(ds_range(tf, 10).repeat())


@case
def iterator_end(tf):
    it = iter(ds_range(tf, 2))
    return [it.get_next(), next(it), it.get_next_as_optional().has_value(), it.get_next()]


@case
def iterator_optional(tf):
    it = iter(slices(tf, ([1, 2], [3, 4])))
    actual = it.get_next_as_optional()
    return [actual.has_value(), actual.get_value(), it.element_spec, actual.element_spec]


@case
def single_element(tf):
    return slices(tf, [[5, 6]]).get_single_element()


@case
def single_element_of_many(tf):
    return ds_range(tf, 3).get_single_element()


@case
def single_element_of_none(tf):
    return ds_range(tf, 0).get_single_element()


@case
def numpy_iterator(tf):
    ds = slices(tf, {"a": [1, 2], "b": ["x", "y"]})
    actual = list(ds.as_numpy_iterator())
    return [actual, [type(each["a"]).__name__ for each in actual], type(actual[0]["b"]).__name__]


@case
def truth(tf):
    return [bool(ds_range(tf, 0)), isinstance(ds_range(tf, 2).batch(2), tf.data.Dataset)]


@case
def representations(tf):
    return [repr(ds_range(tf, 2)), repr(slices(tf, [1.0]).batch(2)), repr(ds_range(tf, 3).take(1))]


@case
def options(tf):
    options = tf.data.Options()
    options.deterministic = False
    options.threading.private_threadpool_size = 2
    ds = ds_range(tf, 3).with_options(options).map(lambda x: x)
    actual = ds.options()
    return [actual.deterministic, actual.threading.private_threadpool_size, ds]


@case
def options_unknown(tf):
    options = tf.data.Options()
    options.no_such_option = 3


@case
def experimental_names(tf):
    e = tf.data.experimental
    ds = ds_range(tf, 8)
    reducer = e.Reducer(lambda _: np.int64(0), lambda s, x: s + x, lambda s: s)
    return [
        ds.apply(e.assert_cardinality(8)),
        e.cardinality(ds),
        ds.apply(e.unique()),
        ds.batch(4).apply(e.unbatch()),
        ds.apply(e.enumerate_dataset(2)),
        e.from_list([(1, 2), (3, 4)]),
        e.at(ds, 3),
        ds.apply(e.take_while(lambda x: x < 2)),
        e.get_structure(ds),
        ds.apply(e.group_by_reducer(lambda x: x % 3, reducer)),
        e.Counter().take(2),
    ]


@case
def cardinality_not_kept(tf):
    return list(ds_range(tf, 8).apply(tf.data.experimental.assert_cardinality(5)))


@case
def training_loop(tf):
    tf.random.set_seed(0)
    x = np.linspace(-1, 1, 64, dtype=np.float32)[:, None]
    ds = slices(tf, (x, 3 * x + 1)).shuffle(64).batch(16).prefetch(tf.data.AUTOTUNE)
    w, b = tf.Variable([[0.0]]), tf.Variable([0.0])
    losses = []
    for _ in range(3):
        for features, labels in ds:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((features @ w + b - labels) ** 2)
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(0.5 * dw)
            b.assign_sub(0.5 * db)
        losses.append(round(float(loss), 4))
    return [str(loss) for loss in losses]


# --- random numbers in functions ------------------------------------------------------------------


@case
def random_map_draws_the_same_in_each_pass(tf):
    tf.random.set_seed(4)
    ds = ds_range(tf, 3).map(lambda i: tf.random.uniform([], seed=None))
    tf.random.set_seed(5)
    return [list(ds), list(ds), list(ds.repeat(2))]


@case
def random_map_with_several_draws(tf):
    tf.random.set_seed(7)
    return list(
        ds_range(tf, 3).map(
            lambda i: (tf.random.uniform([2]), tf.random.uniform([], seed=3), tf.random.uniform([]))
        )
    )


@case
def random_map_in_the_background(tf):
    tf.random.set_seed(8)
    ds = ds_range(tf, 2).map(lambda i: tf.random.uniform([])).repeat(2).prefetch(1)
    return [list(ds), list(ds)]


@case
def random_maps_one_after_the_other(tf):
    tf.random.set_seed(9)
    ds = ds_range(tf, 2).map(lambda i: tf.random.uniform([]))
    return list(ds.map(lambda x: (x, tf.random.uniform([]))))


@case
def random_filter(tf):
    tf.random.set_seed(10)
    ds = ds_range(tf, 12).filter(lambda i: tf.random.uniform([]) < 0.5)
    return [list(ds), list(ds)]


@case
def random_scan(tf):
    tf.random.set_seed(11)
    ds = ds_range(tf, 3).scan(0.0, lambda s, i: (s + tf.random.uniform([]), s))
    return [list(ds), list(ds)]


@case
def random_ops_around_a_random_map(tf):
    tf.random.set_seed(12)
    before = tf.random.uniform([])
    ds = ds_range(tf, 2).map(lambda i: tf.random.uniform([]))
    return [before, list(ds), tf.random.uniform([])]


# --- files of values ------------------------------------------------------------------------------

TABLE = (
    'name,age,weight,alive,big\n"Doe, Jane",31,60.5,1,3000000000\nMax,,71,0,1\n"A ""B""",5,,1,2\n'
)


def table(directory, text=TABLE, name="table.csv"):
    path = f"{directory}/{name}"
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return path


@case
def decode_csv(tf):
    return tf.io.decode_csv(["1,2.5,a", "4,,"], [0, -1.0, "none"])


@case
def decode_csv_of_one_line(tf):
    return tf.io.decode_csv("1;2", [tf.constant([], tf.int64), [0.0]], field_delim=";")


@case
def decode_csv_some_columns(tf):
    return tf.io.decode_csv('7,"x,y",NA', [[""], [5]], na_value="NA", select_cols=[1, 2])


@case
def decode_csv_required(tf):
    return tf.io.decode_csv("1,", [[0], tf.constant([], tf.float32)])


@case
def decode_csv_with_a_dtype(tf):
    return tf.io.decode_csv("1,2", [[0], tf.float32])


@case
def decode_csv_wrong_number(tf):
    return tf.io.decode_csv("1,x", [[0], [0.0]])


@case
def decode_csv_wrong_count(tf):
    return tf.io.decode_csv("1,2,3", [[0], [0]])


@case_with_files
def csv_dataset(tf, directory):
    ds = tf.data.experimental.CsvDataset(
        table(directory), [tf.string, 0, 0.0], header=True, select_cols=[0, 1, 2]
    )
    return [ds.element_spec, list(ds)]


@case_with_files
def make_csv_dataset(tf, directory):
    ds = tf.data.experimental.make_csv_dataset(
        table(directory), 2, label_name="alive", num_epochs=1, shuffle=False
    )
    return [ds.element_spec, [(sorted(f.items()), label) for f, label in ds]]


@case_with_files
def make_csv_dataset_some_columns(tf, directory):
    ds = tf.data.experimental.make_csv_dataset(
        table(directory), 2, select_columns=["age", "weight"], num_epochs=2, shuffle=False
    )
    return [sorted(f.items()) for f in ds]


@case_with_files
def make_csv_dataset_shuffled(tf, directory):
    lines = "x,y\n" + "".join(f"{i},{i * 0.5}\n" for i in range(12))
    tf.random.set_seed(3)
    ds = tf.data.experimental.make_csv_dataset(
        table(directory, lines), 4, num_epochs=1, shuffle_seed=5, shuffle_buffer_size=6
    )
    return [sorted(f.items()) for f in ds]


@case_with_files
def make_csv_dataset_of_several_files(tf, directory):
    table(directory, "x\n1\n2\n", "a.csv")
    table(directory, "x\n3\n", "b.csv")
    ds = tf.data.experimental.make_csv_dataset(directory + "/*.csv", 2, num_epochs=1, shuffle=False)
    return [sorted(f.items()) for f in ds]


@case_with_files
def make_csv_dataset_without_files(tf, directory):
    return tf.data.experimental.make_csv_dataset(directory + "/*.csv", 2)


@case_with_files
def make_csv_dataset_with_a_wrong_label(tf, directory):
    return tf.data.experimental.make_csv_dataset(table(directory), 2, label_name="nothing")


@case_with_files
def fixed_length_records(tf, directory):
    path = directory + "/records"
    with open(path, "wb") as file:
        file.write(b"headabcdefxy")
    ds = tf.data.FixedLengthRecordDataset(path, 3, header_bytes=4, footer_bytes=2)
    return [ds.element_spec, list(ds)]


@case_with_files
def fixed_length_records_too_long(tf, directory):
    path = directory + "/records"
    with open(path, "wb") as file:
        file.write(b"abcdefg")
    return list(tf.data.FixedLengthRecordDataset(path, 3))


@case
def pad_to_cardinality(tf):
    ds = slices(tf, {"a": [1, 2]}).apply(tf.data.experimental.pad_to_cardinality(4))
    return [sorted(element.items()) for element in ds]


# --- passes over shuffled data --------------------------------------------------------------------


def taken(ds, count):
    iterator = iter(ds)
    return [next(iterator) for _ in range(count)]


@case
def shuffle_goes_on_after_whole_passes(tf):
    tf.random.set_seed(3)
    ds = ds_range(tf, 6).shuffle(6, seed=1).repeat().batch(3)
    return [taken(ds, 4), taken(ds, 2), taken(ds, 1), taken(ds, 2)]


@case
def shuffle_repeated_to_the_end(tf):
    tf.random.set_seed(3)
    ds = ds_range(tf, 4).shuffle(2, seed=1).repeat(2)
    return [list(ds), list(ds), list(ds.skip(3))]


@case
def shuffle_before_other_steps_repeated_to_the_end(tf):
    tf.random.set_seed(3)
    shuffled = ds_range(tf, 6).shuffle(3, seed=1)
    numbers = shuffled.batch(4).repeat(2)
    once, kept = shuffled.map(lambda x: x + 1).repeat(1), shuffled.filter(lambda x: x < 4).repeat(3)
    return [[list(ds), list(ds), list(ds)] for ds in (numbers, once, kept)]


@case
def functions_of_datasets_are_inside_a_function(tf):
    """Those that a dataset calls itself; Python that they call by `py_function` is outside."""
    seen = {}

    def note(name, value):
        seen.setdefault(name, set()).add((tf.executing_eagerly(), tf.inside_function()))
        return value

    def generate():
        yield note("generator", 1)

    numbers, zero = tf.data.Dataset.range(4), tf.constant(0, tf.int64)
    spec = tf.TensorSpec((), tf.int32)
    for dataset in (
        numbers.map(lambda x: note("map", x)),
        numbers.map(lambda x: note("parallel map", x), num_parallel_calls=2),
        numbers.filter(lambda x: note("filter", x > 1)),
        numbers.flat_map(lambda x: note("flat_map", numbers)),
        numbers.interleave(lambda x: note("interleave", numbers)),
        numbers.scan(zero, lambda state, x: note("scan", (state, x))),
        numbers.take_while(lambda x: note("take_while", x < 2)),
        numbers.group_by_window(
            lambda x: note("key", x % 2), lambda key, window: note("window", window.batch(2)), 2
        ),
        numbers.map(lambda x: tf.py_function(lambda y: note("python", y), [x], tf.int64)),
        numbers.map(lambda x: tf.numpy_function(lambda y: note("numpy", y), [x], tf.int64)),
        tf.data.Dataset.from_generator(generate, output_signature=spec),
    ):
        list(dataset)
    numbers.reduce(zero, lambda state, x: note("reduce", state + x))
    tf.function(lambda: tf.py_function(lambda: note("in a function", 1), [], tf.int32))()
    return {name: sorted(modes) for name, modes in sorted(seen.items())}
