"""Programs with checkpoints whose results are TensorFlow's.

Each case is a function of the module `tf` and of an empty folder. `tests/recorded/record.py` runs
them with TensorFlow and writes `recorded.json`; `test_recorded.py` beside it compares.
"""

import os

import numpy as np

CASES = {}


def case(function):
    assert function.__name__ not in CASES
    CASES[function.__name__] = function
    return function


def plain(value):
    """A result as JSON can hold it."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, dict):
        return {key: plain(value[key]) for key in value}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    array = np.asarray(value)
    return [array.dtype.name, list(array.shape), [repr(x) for x in array.reshape(-1).tolist()]]


def names(tf, path):
    """The variables in a checkpoint; TensorFlow's own description of objects is its business."""
    return [
        [name, list(shape)]
        for name, shape in sorted(tf.train.list_variables(path))
        if name != "_CHECKPOINTABLE_OBJECT_GRAPH"
    ]


def relative(path, folder):
    return None if path is None else os.path.relpath(path, folder)


def refused(function, *args):
    try:
        function(*args)
    except Exception as error:
        return type(error).__name__
    return None


def dense(tf):
    class Dense(tf.Module):
        def __init__(self, inputs=None, outputs=2):
            super().__init__()
            self.outputs = outputs
            if inputs:
                self.make(inputs)

        def make(self, inputs):
            self.w = tf.Variable(tf.zeros([inputs, self.outputs]), name="weights")
            self.b = tf.Variable(tf.zeros([self.outputs]), name="bias")

        def __call__(self, x):
            if not hasattr(self, "w"):
                self.make(x.shape[-1])
            return x @ self.w + self.b

    return Dense


@case
def keys(tf, folder):
    module = dense(tf)(3)
    holder = tf.Module()
    holder.items = [tf.Variable(1.0), dense(tf)(1), {"a": tf.Variable(2), "b/c.d": tf.Variable(3)}]
    holder.pair = (tf.Variable([1.0]),)
    holder.number, holder.text, holder.nothing = 3, "x", None
    holder.again = module
    rng = tf.random.Generator.from_seed(1)
    checkpoint = tf.train.Checkpoint(m=module, h=holder, v=tf.Variable(True), rng=rng)
    return [names(tf, checkpoint.save(f"{folder}/c")), names(tf, checkpoint.write(f"{folder}/w"))]


@case
def root(tf, folder):
    module = dense(tf)(2)
    module.w.assign(tf.ones([2, 2]))
    path = tf.train.Checkpoint(module, extra=tf.Variable(4)).save(f"{folder}/c")
    other = dense(tf)(2)
    status = tf.train.Checkpoint(other).restore(path)
    status.assert_existing_objects_matched().expect_partial()
    return [names(tf, path), other.w, refused(status.assert_consumed)]


@case
def save_and_restore(tf, folder):
    v, w = tf.Variable([1.0, 2.0]), tf.Variable(3)
    checkpoint = tf.train.Checkpoint(v=v, w=w)
    first = checkpoint.save(f"{folder}/deep/er/ckpt")
    v.assign([5.0, 6.0])
    second = checkpoint.save(f"{folder}/deep/er/ckpt")
    w.assign(9)
    checkpoint.restore(first).assert_consumed()
    actual = [v.numpy(), w.numpy(), checkpoint.save_counter.numpy()]
    return [
        actual,
        relative(first, folder),
        relative(second, folder),
        relative(tf.train.latest_checkpoint(f"{folder}/deep/er"), folder),
        relative(checkpoint.save(f"{folder}/deep/er/ckpt"), folder),
    ]


@case
def latest_of_nothing(tf, folder):
    return [
        tf.train.latest_checkpoint(folder),
        tf.train.latest_checkpoint(f"{folder}/none"),
        tf.train.get_checkpoint_state(folder),
        refused(tf.train.list_variables, folder),
        refused(tf.train.load_variable, f"{folder}/c-1", "v"),
        refused(tf.train.Checkpoint().restore, f"{folder}/c-1"),
    ]


@case
def restore_none(tf, folder):
    status = tf.train.Checkpoint(v=tf.Variable(1.0)).restore(None)
    return [
        refused(status.assert_consumed),
        refused(status.assert_existing_objects_matched),
        refused(status.expect_partial),
        refused(status.assert_nontrivial_match),
    ]


@case
def statuses(tf, folder):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(2.0)).save(f"{folder}/c")
    actual = []
    for made in ({"a": 0.0}, {"a": 0.0, "b": 0.0}, {"a": 0.0, "c": 0.0}, {"c": 0.0}, {}):
        variables = {name: tf.Variable(value) for name, value in made.items()}
        status = tf.train.Checkpoint(**variables).restore(path)
        actual.append(
            [
                refused(status.assert_consumed),
                refused(status.assert_existing_objects_matched),
                refused(status.assert_nontrivial_match),
                [v.numpy() for v in variables.values()],
            ]
        )
        status.expect_partial()
    return actual


@case
def deferred_attribute(tf, folder):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable([2.0])).save(f"{folder}/c")
    checkpoint = tf.train.Checkpoint()
    status = checkpoint.restore(path)
    before = refused(status.assert_consumed)
    checkpoint.b = tf.Variable([0.0])
    between = checkpoint.b.numpy()
    checkpoint.a = tf.Variable(0.0)
    status.assert_consumed()
    checkpoint.a.assign(7.0)
    status.assert_consumed()
    return [before, between, checkpoint.a.numpy(), checkpoint.save_counter.numpy()]


@case
def deferred_module(tf, folder):
    cls = dense(tf)
    trained = cls()
    trained(tf.ones([1, 3]))
    trained.w.assign(tf.fill([3, 2], 0.5))
    path = tf.train.Checkpoint(model=trained).save(f"{folder}/c")
    fresh = cls()
    status = tf.train.Checkpoint(model=fresh).restore(path)
    result = fresh(tf.ones([1, 3]))
    status.assert_consumed()
    return [result, fresh.w, type(fresh) is cls]


@case
def deferred_nested(tf, folder):
    cls = dense(tf)
    trained = tf.Module()
    trained.inner = tf.Module()
    trained.inner.layer = cls(1)
    trained.inner.layer.b.assign([3.0, 4.0])
    path = tf.train.Checkpoint(net=trained).write(f"{folder}/c")
    fresh = tf.Module()
    status = tf.train.Checkpoint(net=fresh).read(path)
    fresh.inner = tf.Module()
    layer = cls()
    fresh.inner.layer = layer
    layer.make(1)
    status.assert_consumed()
    return [layer.b, layer.w]


@case
def shared_variable(tf, folder):
    v = tf.Variable(3.0)
    path = tf.train.Checkpoint(a=v, b=v).save(f"{folder}/c")
    other = tf.Variable(0.0)
    tf.train.Checkpoint(b=other).restore(path).expect_partial()
    return [names(tf, path), other]


@case
def shapes_that_differ(tf, folder):
    path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).save(f"{folder}/c")
    wrong = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0, 3.0]))
    return refused(wrong.restore, path)


@case
def dtypes_that_differ(tf, folder):
    path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).save(f"{folder}/c")
    return refused(tf.train.Checkpoint(v=tf.Variable([1, 2])).restore, path)


@case
def dtypes(tf, folder):
    kinds = [
        "float16",
        "float32",
        "float64",
        "int8",
        "int32",
        "int64",
        "uint8",
        "bool",
        "complex64",
        "complex128",
        "bfloat16",
    ]
    made = {kind: tf.Variable(tf.cast([[0, 1, 1]], kind)) for kind in kinds}
    made["string"] = tf.Variable(["a", "", "longer"])
    made["scalar"] = tf.Variable(2.5, dtype=tf.float64)
    made["empty"] = tf.Variable(tf.zeros([0, 3]))
    path = tf.train.Checkpoint(**made).save(f"{folder}/c")
    fresh = {name: tf.Variable(tf.zeros_like(v)) for name, v in made.items()}
    tf.train.Checkpoint(**fresh).restore(path).assert_consumed()
    return [
        {name: [v.dtype.name, bool(tf.reduce_all(v == made[name]))] for name, v in fresh.items()},
        tf.train.load_variable(path, "complex64/.ATTRIBUTES/VARIABLE_VALUE"),
        tf.train.load_variable(path, "string/.ATTRIBUTES/VARIABLE_VALUE").tolist()[2].decode(),
    ]


@case
def reader(tf, folder):
    path = tf.train.Checkpoint(v=tf.Variable([[1.0, 2.0]])).save(f"{folder}/c")
    actual = tf.train.load_checkpoint(folder)
    key = "v/.ATTRIBUTES/VARIABLE_VALUE"
    return [
        actual.has_tensor(key),
        actual.has_tensor("v"),
        actual.get_tensor(key),
        actual.get_variable_to_shape_map()[key],
        actual.get_variable_to_dtype_map()[key].name,
        tf.train.load_variable(path, key),
        tf.train.load_variable(folder, key),
    ]


@case
def not_trackable(tf, folder):
    return [
        refused(lambda: tf.train.Checkpoint(v=3)),
        refused(lambda: tf.train.Checkpoint(v="text")),
        refused(lambda: tf.train.Checkpoint(v=np.ones(3))),
        refused(lambda: tf.train.Checkpoint(v=tf.constant(1.0))),
        refused(lambda: tf.train.Checkpoint(v=[tf.Variable(1.0)])),
        refused(lambda: tf.train.Checkpoint(v={"a": tf.Variable(1.0)})),
    ]


@case
def manager(tf, folder):
    v = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(v=v)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    actual = [manager.latest_checkpoint, manager.checkpoints]
    for _ in range(4):
        v.assign_add(1)
        actual.append(relative(manager.save(), folder))
    actual.append(relative(manager.save(checkpoint_number=tf.constant(10)), folder))
    again = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), folder, 3, checkpoint_name="other")
    v.assign(0)
    actual += [
        [relative(path, folder) for path in manager.checkpoints],
        [relative(path, folder) for path in again.checkpoints],
        relative(again.latest_checkpoint, folder),
        relative(again.restore_or_initialize(), folder),
        v.numpy(),
        again.checkpoint.save_counter.numpy(),
        relative(again.save(), folder),
        [relative(path, folder) for path in again.checkpoints],
        relative(tf.train.latest_checkpoint(folder), folder),
        len(tf.train.get_checkpoint_state(folder).all_model_checkpoint_paths),
        relative(tf.train.get_checkpoint_state(folder).model_checkpoint_path, folder),
    ]
    return actual


@case
def manager_interval(tf, folder):
    step = tf.Variable(0)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(step=step), folder, None, step_counter=step, checkpoint_interval=3
    )
    actual = []
    for _ in range(8):
        actual.append(relative(manager.save(), folder))
        step.assign_add(1)
    return [actual, relative(manager.save(check_interval=False), folder)]


@case
def manager_initializes(tf, folder):
    called = []
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(v=tf.Variable(1)), folder, 1, init_fn=lambda: called.append(1)
    )
    return [manager.restore_or_initialize(), called]


@case
def manager_refuses(tf, folder):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1))
    return [
        refused(lambda: tf.train.CheckpointManager(checkpoint, folder, 0)),
        refused(lambda: tf.train.CheckpointManager(checkpoint, folder, 1, checkpoint_interval=2)),
    ]


@case
def iterators(tf, folder):
    tf.random.set_seed(3)
    actual = []
    for build in (
        lambda: tf.data.Dataset.range(10),
        lambda: tf.data.Dataset.range(10).batch(3),
        lambda: tf.data.Dataset.range(10).map(lambda n: n * n).prefetch(2),
        lambda: tf.data.Dataset.range(10).repeat(2).skip(1).filter(lambda n: n % 2 == 0),
    ):
        iterator = iter(build())
        checkpoint = tf.train.Checkpoint(it=iterator)
        first = [next(iterator).numpy() for _ in range(2)]
        path = checkpoint.save(f"{folder}/c")
        rest = next(iterator).numpy()
        checkpoint.restore(path)
        actual.append([first, rest, next(iterator).numpy()])
        fresh = iter(build())
        tf.train.Checkpoint(it=fresh).restore(path).assert_consumed()
        actual.append([x.numpy() for x in fresh])
    return actual


@case
def shuffled_iterator(tf, folder):
    tf.random.set_seed(3)
    ds = tf.data.Dataset.range(10).shuffle(4, seed=1).repeat(2).batch(3)
    iterator = iter(ds)
    checkpoint = tf.train.Checkpoint(it=iterator)
    actual = [next(iterator).numpy() for _ in range(4)]
    path = checkpoint.save(f"{folder}/c")
    rest = [x.numpy() for x in iterator]
    checkpoint.restore(path)
    return [actual, rest, [x.numpy() for x in iterator]]


@case
def averages(tf, folder):
    v = tf.Variable([1.0, 2.0])
    plain_average = tf.train.ExponentialMovingAverage(0.9)
    counted = tf.train.ExponentialMovingAverage(0.9, num_updates=3)
    actual = []
    for step in range(3):
        plain_average.apply([v])
        counted.apply([v])
        actual += [plain_average.average(v).numpy(), counted.average(v).numpy()]
        v.assign_add([1.0, step])
    return [actual, plain_average.average(tf.Variable(1.0)), plain_average.name]


@case
def averages_without_bias(tf, folder):
    v = tf.Variable([1.0, 2.0])
    average = tf.train.ExponentialMovingAverage(0.9, zero_debias=True)
    actual = []
    for step in range(3):
        average.apply([v])
        actual.append([round(x, 5).__repr__() for x in average.average(v).numpy().tolist()])
        v.assign_add([1.0, step])
    return actual


@case
def coordinator(tf, folder):
    import threading
    import time

    coordinator = tf.train.Coordinator()
    counts = []

    def work():
        while not coordinator.should_stop():
            counts.append(1)
            if len(counts) > 5:
                coordinator.request_stop()
            time.sleep(0.001)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    coordinator.join(threads)
    failing = tf.train.Coordinator()

    def fail():
        with failing.stop_on_exception():
            raise KeyError("x")

    thread = threading.Thread(target=fail)
    thread.start()
    return [len(counts) > 5, coordinator.joined, refused(failing.join, [thread])]


# --- views and options ----------------------------------------------------------------------------


@case
def options_for_checkpoints(tf, folder):
    options = tf.train.CheckpointOptions(experimental_skip_slot_variables=True)
    made = dense(tf)(3)
    path = tf.train.Checkpoint(made=made).write(os.path.join(folder, "a"), options=options)
    tf.train.Checkpoint(made=made).read(path, options=options).assert_consumed()
    return [names(tf, path), options.experimental_io_device]


@case
def views_of_a_checkpoint(tf, folder):
    made = dense(tf)(3)
    path = tf.train.Checkpoint(made=made).write(os.path.join(folder, "a"))
    view = tf.train.CheckpointView(path)
    actual = {}
    pending = [("", 0)]
    while pending:
        prefix, number = pending.pop()
        for name, child in view.children(number).items():
            actual[f"{prefix}/{name}"] = None
            pending.append((f"{prefix}/{name}", child))
    return sorted(actual)


@case
def views_of_objects(tf, folder):
    made = dense(tf)(3)
    view = tf.train.TrackableView(made)
    children = view.children(made)
    return [sorted(children), len(view.descendants()), view.root is made]


@case
def a_view_compared_with_objects(tf, folder):
    made = dense(tf)(3)
    root = tf.train.Checkpoint(made=made)
    view = tf.train.CheckpointView(root.write(os.path.join(folder, "a")))
    matched = view.match(root)
    return [len(matched), matched[0] is root]


@case
def checkpoints_one_after_the_other(tf, folder):
    checkpoint = tf.train.Checkpoint(x=tf.Variable(1.0))
    path = checkpoint.save(os.path.join(folder, "a"))
    actual = tf.train.checkpoints_iterator(folder, timeout=0.5, timeout_fn=lambda: True)
    return [relative(path, folder), [relative(each, folder) for each in actual]]
