"""Writes tests/checkpoints/files with TensorFlow, and compares checkpoints of both libraries.

    python tests/checkpoints/generate_files.py                  write the files
    python tests/checkpoints/generate_files.py --theirs FOLDER  write them into another folder
    python tests/checkpoints/generate_files.py --check FOLDER   restore what gradtape wrote there
    python tests/checkpoints/generate_files.py --ours FOLDER    write that, with gradtape

All but the last need TensorFlow. The files are what `test_tensorflow_files.py` reads.
"""

import argparse
import importlib.util
import json
import pathlib
import shutil
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
FOLDER = HERE / "files"
GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"


def load_objects():
    spec = importlib.util.spec_from_file_location("objects", HERE / "objects.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def contents(tf, prefix):
    """All values of a checkpoint by key."""
    reader = tf.train.load_checkpoint(prefix)
    names = reader.get_variable_to_shape_map()
    return {name: reader.get_tensor(name) for name in names if name != GRAPH}


def same(one, other):
    """Whether two checkpoints have the same keys, types, shapes and values."""
    assert sorted(one) == sorted(other), set(one) ^ set(other)
    for name in one:
        a, b = np.asarray(one[name]), np.asarray(other[name])
        assert (a.dtype, a.shape) == (b.dtype, b.shape), name
        assert a.tolist() == b.tolist(), name
    return True


# --- what only TensorFlow writes -----------------------------------------------------------------


def shards(tf, prefix):
    """Two variables in several files, a large one in slices."""
    policy = tf.train.experimental.MaxShardSizePolicy(max_shard_size=160)
    v = tf.Variable(tf.reshape(tf.range(60, dtype=tf.float32), [20, 3]))
    w = tf.Variable(tf.range(8, dtype=tf.int64))
    options = tf.train.CheckpointOptions(experimental_sharding_callback=policy)
    tf.train.Checkpoint(v=v, w=w).write(prefix, options)


def slices(tf, prefix):
    """A tensor in slices by rows and columns, a string in two slices, by name."""
    whole = tf.reshape(tf.range(300 * 4, dtype=tf.int32), [300, 4])
    text = tf.constant(["a", "bb", "", "dddd"])
    parts = {"300 4 0,100:-": whole[:100], "300 4 100,200:0,1": whole[100:, :1]}
    parts["300 4 100,200:1,3"] = whole[100:, 1:]
    strings = {"4 0,1": text[:1], "4 1,3": text[1:]}
    tf.raw_ops.SaveV2(
        prefix=prefix,
        tensor_names=["x\u00e9"] * 3 + ["text"] * 2,
        shape_and_slices=[*parts, *strings],
        tensors=[*parts.values(), *strings.values()],
    )


def by_name(tf, prefix):
    """Variables by name, as TensorFlow 1 saved them."""
    tf.raw_ops.SaveV2(
        prefix=prefix,
        tensor_names=["layer/w", "layer/b", "global_step"],
        shape_and_slices=["", "", ""],
        tensors=[tf.constant([[1.0, 2.0]]), tf.constant([3.0]), tf.constant(7, tf.int64)],
    )


def older_keras(tf, prefix):
    """A model and an optimizer under the names of Keras 2, with slots."""
    model, state = tf.Module(), []
    for index, (inputs, outputs) in enumerate([(3, 2), (2, 1)]):
        layer = tf.Module()
        layer.kernel = tf.Variable(tf.fill([inputs, outputs], index + 1.0), name=f"k{index}")
        layer.bias = tf.Variable(tf.fill([outputs], index + 0.5), name=f"b{index}")
        setattr(model, f"layer_with_weights-{index}", layer)
        setattr(model, f"layer-{index + 1}", layer)
        state += [layer.kernel, layer.bias]
    optimizer = tf.compat.v1.train.AdamOptimizer(0.1)
    optimizer.apply_gradients([(v + 1.0, v) for v in state])
    optimizer._track_trackable(tf.Variable(4, dtype=tf.int64), "iter")
    tf.train.Checkpoint(model=model, optimizer=optimizer).write(prefix)


def keras_2_11(tf, prefix):
    """The state of an optimizer of Keras 2.11: other variables in the list of all."""
    layer, optimizer = tf.Module(), tf.Module()
    layer.kernel = tf.Variable([[1.0, 2.0]])
    optimizer._variables = []
    optimizer._iterations = tf.Variable(5, dtype=tf.int64)
    optimizer._learning_rate = tf.Variable(0.25)
    optimizer._momentums = [tf.Variable([[3.0, 4.0]])]
    optimizer._velocities = [tf.Variable([[5.0, 6.0]])]
    kept = [*optimizer._momentums, *optimizer._velocities]
    optimizer._variables.extend([optimizer._iterations, *kept])
    tf.train.Checkpoint(layer=layer, optimizer=optimizer).write(prefix)


def tables(tf, prefix):
    """Tables."""
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)
    table.insert(["a", "b"], [1, 2])
    dense = tf.lookup.experimental.DenseHashTable(
        tf.int64, tf.float32, -1.0, -1, -2, initial_num_buckets=8
    )
    dense.insert([1, 5], [1.0, 2.0])
    tf.train.Checkpoint(table=table, dense=dense).write(prefix)


def iterator(tf, prefix):
    """The state of a dataset's iterator, which only TensorFlow reads, and a variable."""
    elements = iter(tf.data.Dataset.range(5))
    next(elements)
    tf.train.Checkpoint(elements=elements, v=tf.Variable(2.0)).write(prefix)


SPECIAL = (shards, slices, by_name, older_keras, keras_2_11, tables, iterator)


def write_all(tf, folder):
    """Write all files with TensorFlow."""
    made = load_objects()
    for name, make in made.OBJECTS.items():
        objects = make(tf)
        made.fill(tf, objects)
        made.checkpoint(tf, objects).write(f"{folder}/{name}")
    for write in SPECIAL:
        write(tf, f"{folder}/{write.__name__}")
    managed(tf, folder / "managed")
    seen = json.dumps(views(tf, folder), indent=1, sort_keys=True)
    (folder / "views.json").write_text(f"{seen}\n")


def views(tf, folder):
    """What is seen of the checkpoint `tree`, and of another tree beside it; objects by position."""
    net = tf.Module()
    net.encoder, net.extra = tf.Module(), tf.Variable(1.0)
    net.encoder.second = tf.Module()
    net.encoder.second.b, net.encoder.third = tf.Variable([1.0]), [tf.Variable(2.0)]
    other = tf.train.Checkpoint(net=net, step=tf.Variable(1))
    view = tf.train.CheckpointView(f"{folder}/tree")
    all_objects = tf.train.TrackableView(other).descendants()

    def spot(thing):
        return next(index for index, each in enumerate(all_objects) if each is thing)

    matched, saved, objects = view.diff(other)
    return {
        "children": [view.children(number) for number in view.descendants()],
        "descendants": view.descendants(),
        "matched": {str(number): spot(thing) for number, thing in matched.items()},
        "only in the checkpoint": saved,
        "only objects": [spot(thing) for thing in objects],
        "names": [sorted(tf.train.TrackableView.children(thing)) for thing in all_objects],
    }


def managed(tf, folder):
    """A folder with a name that is not ASCII in its list of checkpoints."""
    v = tf.Variable(0)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(v=v), str(folder), max_to_keep=2, checkpoint_name="p\u00e4'"
    )
    for _ in range(3):
        v.assign_add(1)
        manager.save()


# --- what gradtape writes ------------------------------------------------------------------------


REWRITTEN = ("module", "sequential")  # over the same files, which gives them two shards


def many(tf):
    """So many keys that the index has several blocks."""
    return tf.train.Checkpoint(
        v={f"a rather long name {i:05d}": tf.Variable(i) for i in range(5000)}
    )


def small_table(tf):
    return tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)


def write_ours(folder):
    """Write the objects with gradtape in TensorFlow's format."""
    import gradtape as tf

    made = load_objects()
    options = tf.train.CheckpointOptions(format="tensorflow")
    for name, make in made.OBJECTS.items():
        objects = make(tf)
        made.fill(tf, objects)
        saved = made.checkpoint(tf, objects)
        path = saved.save(f"{folder}/{name}/ckpt", options)
        if name in REWRITTEN:
            saved.write(path, options)
    many(tf).write(f"{folder}/many", options)
    table = small_table(tf)
    table.insert(["a", "b"], [1, 2])
    tf.train.Checkpoint(table=table).write(f"{folder}/table", options)


def check(tf, folder):
    """Restore what gradtape wrote, and compare what TensorFlow writes then, key by key."""
    made = load_objects()
    failed = []
    for name, make in made.OBJECTS.items():
        objects = make(tf)
        made.fill(tf, objects, 50)
        saved = made.checkpoint(tf, objects)
        path = tf.train.latest_checkpoint(f"{folder}/{name}")
        try:
            saved.restore(path).assert_consumed()
            with tempfile.TemporaryDirectory() as again:
                same(contents(tf, path), contents(tf, saved.write(f"{again}/ckpt")))
        except Exception as error:
            failed.append(name)
            print(f"{name}: {type(error).__name__}: {str(error)[:2000]}")
        else:
            print(f"{name}: restored by TensorFlow")
    large = many(tf)
    for variable in large.v.values():
        variable.assign(-1)
    large.read(f"{folder}/many").assert_consumed()
    assert [int(variable) for variable in large.v.values()] == list(range(5000))
    table = small_table(tf)
    tf.train.Checkpoint(table=table).read(f"{folder}/table").assert_consumed()
    assert table.lookup(tf.constant(["a", "b", "c"])).numpy().tolist() == [1, 2, -1]
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--theirs", type=pathlib.Path, default=FOLDER)
    args = parser.parse_args()
    if args.ours:
        return write_ours(args.ours)
    import tensorflow

    if args.check:
        failed = check(tensorflow, args.check)
        raise SystemExit(f"{len(failed)} failed: {failed}" if failed else 0)
    shutil.rmtree(args.theirs, ignore_errors=True)
    args.theirs.mkdir(parents=True)
    return write_all(tensorflow, args.theirs)


if __name__ == "__main__":
    main()
