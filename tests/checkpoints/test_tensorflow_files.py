"""Checkpoints that TensorFlow wrote are restored and read; `generate_files.py` has written them."""

import json
import os
import pathlib
import shutil
import weakref

import numpy as np
import pytest

import gradtape as tf
from tests.checkpoints import objects as made
from tests.checkpoints.generate_files import contents, same, views

# `make test-checkpoints-tf` names files that it has just written.
FOLDER = pathlib.Path(os.environ.get("CHECKPOINT_FILES", pathlib.Path(__file__).with_name("files")))
FORMAT = tf.train.CheckpointOptions(format="tensorflow")
KEY = "/.ATTRIBUTES/VARIABLE_VALUE"
NAMES = [
    pytest.param(name, marks=[pytest.mark.keras] if name in made.KERAS else [])
    for name in made.OBJECTS
]


def path(name):
    return str(FOLDER / name)


@pytest.mark.parametrize("name", NAMES)
def test_objects_get_all_values_and_are_written_under_the_same_keys(tmp_path, name):
    objects = made.OBJECTS[name](tf)
    made.fill(tf, objects, 50)
    checkpoint = made.checkpoint(tf, objects)
    classes = [type(each) for each in objects.values()]
    checkpoint.read(path(name)).assert_consumed().assert_nontrivial_match()
    # Nothing waits for objects any longer: their classes are their own.
    assert [type(each) for each in objects.values()] == classes
    written = checkpoint.write(str(tmp_path / "ckpt"), FORMAT)
    assert same(contents(tf, path(name)), contents(tf, written))


@pytest.mark.parametrize("name", NAMES)
def test_both_formats_hold_the_same(tmp_path, name):
    objects = made.OBJECTS[name](tf)
    made.fill(tf, objects)
    checkpoint = made.checkpoint(tf, objects)
    ours = checkpoint.write(str(tmp_path / "ours"))
    theirs = checkpoint.write(str(tmp_path / "theirs"), FORMAT)
    for prefix in (ours, theirs):
        made.fill(tf, objects, 50)
        checkpoint.read(prefix).assert_consumed()
        again = checkpoint.write(str(tmp_path / "again"), FORMAT)
        assert same(contents(tf, again), contents(tf, theirs))


# --- reading without objects ---------------------------------------------------------------------


def test_reader():
    reader = tf.train.load_checkpoint(path("dtypes"))
    shapes, kinds = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
    assert sorted(shapes) == sorted(kinds)
    for name in made.DTYPES:
        assert kinds[f"kinds/{name}{KEY}"] == tf.as_dtype(name)
        assert shapes[f"kinds/{name}{KEY}"] == [2, 3]
        assert reader.get_tensor(f"kinds/{name}{KEY}").dtype == tf.as_dtype(name).as_numpy_dtype
    assert reader.has_tensor(f"string{KEY}")
    assert not reader.has_tensor("string")
    assert reader.get_tensor(f"string{KEY}").shape == (2, 2)
    assert isinstance(reader.get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH"), bytes)
    with pytest.raises(tf.errors.NotFoundError, match="Key nothing not found in checkpoint"):
        reader.get_tensor("nothing")


def test_list_and_load_variables():
    listed = dict(tf.train.list_variables(path("module")))
    assert listed == {"_CHECKPOINTABLE_OBJECT_GRAPH": [], f"net/b{KEY}": [2], f"net/w{KEY}": [3, 2]}
    assert tf.train.load_variable(path("module"), f"net/b{KEY}").shape == (2,)
    assert tf.train.load_variable(path("sizes"), f"scalar{KEY}").shape == ()
    assert tf.train.load_variable(path("sizes"), f"empty{KEY}").shape == (0, 3)


def test_shards():
    assert len(list(FOLDER.glob("shards.data-*"))) > 1
    v, w = tf.Variable(tf.zeros([20, 3])), tf.Variable(tf.zeros([8], tf.int64))
    tf.train.Checkpoint(v=v, w=w).read(path("shards")).assert_consumed()
    assert v.numpy().ravel().tolist() == list(range(60))
    assert w.numpy().tolist() == list(range(8))


def test_slices():
    reader = tf.train.load_checkpoint(path("slices"))
    assert reader.get_variable_to_shape_map() == {"text": [4], "x\u00e9": [300, 4]}
    assert np.array_equal(reader.get_tensor("x\u00e9"), np.arange(1200).reshape(300, 4))
    assert reader.get_tensor("text").tolist() == [b"a", b"bb", b"", b"dddd"]


def test_a_missing_shard_is_named(tmp_path):
    for file in FOLDER.glob("shards.*"):
        shutil.copy(file, tmp_path)
    gone = sorted(tmp_path.glob("shards.data-*"))[-1]
    gone.unlink()
    with pytest.raises(tf.errors.NotFoundError, match=f"{gone.name} is missing"):
        tf.train.Checkpoint().read(str(tmp_path / "shards"))


# --- parts, names, order -------------------------------------------------------------------------


def test_a_part_of_the_objects():
    net = tf.Module()
    net.encoder = tf.Module()
    net.encoder.second = made.dense(tf, 3, 1)
    status = tf.train.Checkpoint(net=net).read(path("tree"))
    status.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match=r"no Python object was found for .*step/\.ATTR"):
        status.assert_consumed()
    status.expect_partial()
    result = contents(tf, path("tree"))[f"net/encoder/second/w{KEY}"]
    assert np.array_equal(net.encoder.second.w.numpy(), result)


def test_a_renamed_object():
    net, other = made.dense(tf, 3, 2), made.dense(tf, 3, 2)
    status = tf.train.Checkpoint(network=net).read(path("module"))
    with pytest.raises(AssertionError, match=r"not bound to checkpointed values.*network\.w"):
        status.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="Nothing except the root object matches"):
        status.assert_nontrivial_match()
    status.expect_partial()
    assert not net.w.numpy().any()
    # Under its old name, the object is found.
    tf.train.Checkpoint(net=other).read(path("module")).assert_consumed()
    assert other.w.numpy().all()


def test_variables_that_are_created_later():
    class Net(tf.Module):
        def build(self):
            self.w = tf.Variable(tf.zeros([3, 2]))
            self.b = tf.Variable(tf.zeros([2]))

    net = Net()
    status = tf.train.Checkpoint(net=net).read(path("module"))
    net.build()
    status.assert_consumed()
    expected = contents(tf, path("module"))
    assert np.array_equal(net.w.numpy(), expected[f"net/w{KEY}"])
    assert np.array_equal(net.b.numpy(), expected[f"net/b{KEY}"])


def test_a_wrong_shape_changes_nothing():
    net = made.dense(tf, 3, 2)
    net.w = tf.Variable(tf.zeros([2, 2]))
    with pytest.raises(ValueError, match=r"shape \(3, 2\).*shape \(2, 2\) and name net/w/"):
        tf.train.Checkpoint(net=net).read(path("module"))
    assert not net.b.numpy().any()


def test_a_wrong_dtype_changes_nothing():
    net = made.dense(tf, 3, 2)
    net.w = tf.Variable(tf.zeros([3, 2], tf.float64))
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected dtype float64"):
        tf.train.Checkpoint(net=net).read(path("module"))
    assert not net.b.numpy().any()


@pytest.mark.keras
def test_a_model_and_an_optimizer_that_are_built_later(tmp_path):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Dense(4), layers.BatchNormalization(), layers.Dropout(0.5), layers.Dense(1)]
    )
    optimizer = tf.keras.optimizers.Adam(0.01)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
    status = checkpoint.read(path("sequential"))
    model.build((None, 3))
    optimizer.build(model.trainable_variables)
    status.assert_consumed()
    written = checkpoint.write(str(tmp_path / "ckpt"), FORMAT)
    assert same(contents(tf, path("sequential")), contents(tf, written))


@pytest.mark.keras
def test_layers_in_lists_are_written_though_tensorflow_would_not(tmp_path):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.blocks = [tf.keras.layers.Dense(2), [tf.keras.layers.Dense(1)]]
            self.by_number = {3: tf.keras.layers.Dense(2)}
            self.add_weight(shape=(2,), name="free")

        def call(self, x):
            return self.blocks[1][0](self.by_number[3](self.blocks[0](x)))

    one, other = Net(), Net()
    for net in (one, other):
        net(tf.zeros([1, 3]))
    made.fill(tf, one)
    assert len(one.variables) == 7
    prefix = tf.train.Checkpoint(one).write(str(tmp_path / "ckpt"), FORMAT)
    tf.train.Checkpoint(other).read(prefix).assert_consumed()
    for mine, theirs in zip(one.variables, other.variables, strict=True):
        assert np.array_equal(mine.numpy(), theirs.numpy())


@pytest.mark.keras
@pytest.mark.parametrize("kind", ["sequential", "functional"])
def test_names_and_slots_of_older_keras(kind):
    inputs, hidden, last = tf.keras.Input((3,)), tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)
    if kind == "sequential":
        model = tf.keras.Sequential([inputs, hidden, last])
    else:
        model = tf.keras.Model(inputs, last(hidden(inputs)))
    optimizer = tf.keras.optimizers.Adam(0.1)
    status = tf.train.Checkpoint(model=model, optimizer=optimizer).read(path("older_keras"))
    optimizer.build(model.trainable_variables)  # slots wait for it
    with pytest.raises(AssertionError, match=r"beta1_power.*beta2_power"):
        status.assert_consumed()  # the only ones that Keras 3 has no variables for
    saved = contents(tf, path("older_keras"))
    layers = [f"model/layer_with_weights-{index}" for index in range(2)]
    names = [f"{layer}/{part}" for layer in layers for part in ("kernel", "bias")]
    for index, (name, variable) in enumerate(zip(names, model.variables, strict=True)):
        slot = f"{name}/.OPTIMIZER_SLOT/optimizer"
        for key, result in {
            f"{name}{KEY}": variable,
            f"{slot}/m{KEY}": optimizer._momentums[index],
            f"{slot}/v{KEY}": optimizer._velocities[index],
        }.items():
            assert np.array_equal(result.numpy(), saved[key])
            assert saved[key].all()
    assert int(optimizer.iterations) == 4


@pytest.mark.keras
def test_the_optimizer_of_keras_2_11():
    layer, optimizer = tf.keras.layers.Dense(2, use_bias=False), tf.keras.optimizers.Adam(0.1)
    layer.build((None, 1))
    optimizer.build(layer.trainable_variables)
    checkpoint = tf.train.Checkpoint(layer=layer, optimizer=optimizer)
    checkpoint.read(path("keras_2_11")).assert_consumed()
    result = [layer.kernel, *optimizer._momentums, *optimizer._velocities]
    assert [each.numpy().tolist() for each in result] == [[[1, 2]], [[3, 4]], [[5, 6]]]
    assert (int(optimizer.iterations), float(optimizer.learning_rate)) == (5, 0.25)


def test_variables_by_name():
    w = tf.Variable([[0.0, 0.0]], name="layer/w")
    step = tf.Variable(0, dtype=tf.int64, name="global_step")
    status = tf.train.Checkpoint(w=w, step=step).read(path("by_name"))
    status.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="found for layer/b"):
        status.assert_consumed()
    status.expect_partial()
    assert (w.numpy().tolist(), int(step)) == ([[1.0, 2.0]], 7)


def test_a_saved_model_has_its_variables_in_a_folder(tmp_path):
    folder = tmp_path / "model" / "variables"
    folder.mkdir(parents=True)
    (tmp_path / "model" / "saved_model.pb").write_bytes(b"")
    for file in FOLDER.glob("root.*"):
        shutil.copy(file, folder / file.name.replace("root", "variables"))
    net = made.dense(tf, 2, 2)
    tf.train.Checkpoint(net).read(str(tmp_path / "model")).assert_consumed()
    assert net.w.numpy().all()


# --- tables and iterators ------------------------------------------------------------------------


def tables():
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)
    dense = tf.lookup.experimental.DenseHashTable(tf.int64, tf.float32, -1.0, -1, -2)
    return {"table": table, "dense": dense}


def test_tables(tmp_path):
    one, other = tables(), tables()
    tf.train.Checkpoint(**one).read(path("tables")).assert_consumed()
    prefix = tf.train.Checkpoint(**one).write(str(tmp_path / "ckpt"), FORMAT)
    tf.train.Checkpoint(**other).read(prefix).assert_consumed()
    for result in (one, other):
        assert result["table"].lookup(tf.constant(["a", "b", "c"])).numpy().tolist() == [1, 2, -1]
        assert result["dense"].lookup(tf.constant([1, 5, 7], tf.int64)).numpy().tolist() == [
            1,
            2,
            -1,
        ]
        assert int(result["dense"].size()) == 2
    names = dict(tf.train.list_variables(prefix))
    assert {"table/.ATTRIBUTES/table-keys", "table/.ATTRIBUTES/table-values"} < set(names)


def test_a_table_of_other_types_says_so():
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int32, -1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="values of this table are of int32"):
        tf.train.Checkpoint(table=table).read(path("tables"))
    dense = tf.lookup.experimental.DenseHashTable(tf.int64, tf.float32, [1.0, 2.0], -1, -2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="no table of keys of shape"):
        tf.train.Checkpoint(dense=dense).read(path("tables"))


def test_the_iterator_of_tensorflow_is_left_out_and_named():
    elements, v = iter(tf.data.Dataset.range(5)), tf.Variable(0.0)
    status = tf.train.Checkpoint(elements=elements, v=v).read(path("iterator"))
    assert float(v) == 2.0
    with pytest.raises(AssertionError, match=r"not bound.*\(root\)\.elements"):
        status.assert_existing_objects_matched()
    reader = tf.train.load_checkpoint(path("iterator"))
    key = "elements/.ATTRIBUTES/ITERATOR_STATE"
    assert reader.get_variable_to_dtype_map()[key] is None
    with pytest.raises(tf.errors.UnimplementedError, match="only TensorFlow can read"):
        reader.get_tensor(key)


def test_our_iterator_in_that_format(tmp_path):
    elements = iter(tf.data.Dataset.range(5))
    next(elements)
    checkpoint = tf.train.Checkpoint(elements=elements)
    prefix = checkpoint.write(str(tmp_path / "ckpt"), FORMAT)
    next(elements)
    checkpoint.read(prefix).assert_consumed()
    assert int(next(elements)) == 1


# --- folders -------------------------------------------------------------------------------------


def test_a_manager_goes_on_with_a_folder_of_tensorflow(tmp_path):
    folder = tmp_path / "managed"
    shutil.copytree(FOLDER / "managed", folder)
    assert tf.train.latest_checkpoint(str(folder)) == str(folder / "p\u00e4'-3")
    v = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(v=v)
    manager = tf.train.CheckpointManager(
        checkpoint, str(folder), max_to_keep=2, checkpoint_name="p\u00e4'"
    )
    assert [os.path.basename(each) for each in manager.checkpoints] == ["p\u00e4'-2", "p\u00e4'-3"]
    assert manager.restore_or_initialize() == manager.latest_checkpoint
    assert (int(v), int(checkpoint.save_counter)) == (3, 3)
    manager.save(options=FORMAT)
    assert sorted(file.name for file in folder.iterdir()) == [
        "checkpoint",
        *(
            f"p\u00e4'-{number}.{end}"
            for number in (3, 4)
            for end in ("data-00000-of-00001", "index")
        ),
    ]
    manager.save()
    assert sorted(file.name for file in folder.glob("*-5*")) == ["p\u00e4'-5.safetensors"]
    assert tf.train.get_checkpoint_state(str(folder)).all_model_checkpoint_paths == [
        str(folder / f"p\u00e4'-{number}") for number in (4, 5)
    ]


# --- views ---------------------------------------------------------------------------------------


def test_views_are_as_in_tensorflow():
    expected = json.loads((FOLDER / "views.json").read_text())
    assert json.loads(json.dumps(views(tf, FOLDER))) == expected
    assert expected["only in the checkpoint"]
    assert expected["only objects"]


def test_views_of_a_checkpoint_of_ours(tmp_path):
    net = made.dense(tf, 2, 2)
    prefix = tf.train.Checkpoint(net=net).write(str(tmp_path / "ckpt"))
    matched, saved, objects = tf.train.CheckpointView(prefix).diff(tf.train.Checkpoint(net=net))
    assert (len(matched), saved, objects) == (4, [], [])


def test_views_refuse_what_they_cannot_show():
    with pytest.raises(ValueError, match="does not appear to be object-based"):
        tf.train.CheckpointView(path("by_name"))
    with pytest.raises(ValueError, match="Expected a Trackable, got 3"):
        tf.train.CheckpointView(path("tree")).match(3)


def test_a_view_takes_a_weak_reference():
    net = made.dense(tf, 2, 2)
    assert tf.train.TrackableView(weakref.ref(net)).root is net
