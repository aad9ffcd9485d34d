"""Keras files that reach outside of themselves, run code, or are bombs, by a generator.

Each attack is a function of the bytes of a good file and of a folder; it writes a file there and
returns its path. `secret.h5` in the folder above is what must not be read.
"""

import io
import json
import os
import zipfile

import h5py

LARGE = 2**40


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(folder, parts, compress=True):
    path = os.path.join(folder, "attack.keras")
    kind = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def with_config(change):
    """An attack by another configuration."""

    def attack(good, folder):
        parts = members(good)
        config = json.loads(parts["config.json"])
        parts["config.json"] = json.dumps(change(config, folder)).encode()
        return packed(folder, parts)

    return attack


def with_weights(change):
    """An attack by other weights."""

    def attack(good, folder):
        parts = members(good)
        content = io.BytesIO(parts["model.weights.h5"])
        with h5py.File(content, "r+") as file:
            change(file, folder)
        parts["model.weights.h5"] = content.getvalue()
        return packed(folder, parts)

    return attack


def dataset(file):
    """The first array in a file of weights, and the group that it is in."""
    result = []
    file.visititems(lambda _, each: result.append(each) if isinstance(each, h5py.Dataset) else None)
    (first, *_) = (each for each in result if each.shape)
    return first.parent, first.name.rpartition("/")[2], first.shape


def replaced(make):
    def change(file, folder):
        group, name, shape = dataset(file)
        del group[name]
        make(group, name, shape, os.path.join(os.path.dirname(folder), "secret.h5"))

    return change


def layer(whole, **fields):
    whole["config"]["layers"][1].update(fields)
    return whole


def marker(folder):
    return os.path.join(folder, "executed")


def _virtual(group, name, shape, secret):
    layout = h5py.VirtualLayout(shape, "f4")
    layout[...] = h5py.VirtualSource(secret, "x", shape)
    group.create_virtual_dataset(name, layout)


WEIGHTS = {
    "external link": replaced(
        lambda group, name, shape, secret: group.__setitem__(name, h5py.ExternalLink(secret, "x"))
    ),
    "external storage": replaced(
        lambda group, name, shape, secret: group.create_dataset(
            name, shape, "f4", external=[(secret, 0, h5py.h5f.UNLIMITED)]
        )
    ),
    "virtual dataset": replaced(_virtual),
    "link to itself": replaced(
        lambda group, name, shape, secret: group.__setitem__(name, h5py.SoftLink(group.name))
    ),
    "broken link": replaced(
        lambda group, name, shape, secret: group.__setitem__(name, h5py.SoftLink("/none"))
    ),
    "array of 2^40 numbers": replaced(
        lambda group, name, shape, secret: group.create_dataset(
            name, (LARGE,), "f4", chunks=(1024,), compression="gzip"
        )
    ),
    "array of another shape": replaced(
        lambda group, name, shape, secret: group.create_dataset(name, (7, 7, 7), "f4")
    ),
    "array of strings": replaced(
        lambda group, name, shape, secret: group.create_dataset(name, data=[b"a"] * 4)
    ),
    "no such array": replaced(lambda group, name, shape, secret: None),
}
ATTACKS = {
    **{name: with_weights(change) for name, change in WEIGHTS.items()},
    "os.system": with_config(
        lambda config, folder: layer(
            config,
            module="os",
            class_name="system",
            registered_name=None,
            config={"command": f"touch {marker(folder)}"},
        )
    ),
    "builtins.eval": with_config(
        lambda config, folder: layer(
            config, module="builtins", class_name="eval", registered_name=None, config={}
        )
    ),
    "subprocess.Popen": with_config(
        lambda config, folder: layer(
            config,
            module="subprocess",
            class_name="Popen",
            registered_name=None,
            config={"args": ["touch", marker(folder)]},
        )
    ),
    "lambda": with_config(
        lambda config, folder: layer(
            config,
            module="keras.layers",
            class_name="Lambda",
            registered_name=None,
            config={
                "name": "x",
                "function": {
                    "class_name": "__lambda__",
                    "config": {"code": "4wEAAAA=", "defaults": None, "closure": None},
                },
            },
        )
    ),
    "function of another module": with_config(
        lambda config, folder: layer(
            config,
            module="keras.src.utils.file_utils",
            class_name="get_file",
            registered_name=None,
            config={"fname": "a", "origin": "file:///etc/passwd"},
        )
    ),
    "no module": with_config(
        lambda config, folder: layer(config, module="nonexistent_package_of_an_attack")
    ),
    "layers that are a number": with_config(
        lambda config, folder: {**config, "config": {**config["config"], "layers": 3}}
    ),
    "config that is a list": with_config(lambda config, folder: [1, 2]),
    "units of 2^40": with_config(
        lambda config, folder: layer(
            config, config={**config["config"]["layers"][1]["config"], "units": LARGE}
        )
    ),
    "negative units": with_config(
        lambda config, folder: layer(
            config, config={**config["config"]["layers"][1]["config"], "units": -3}
        )
    ),
}


def attack(name):
    def register(function):
        ATTACKS[name] = function
        return function

    return register


@attack("no config")
def _(good, folder):
    return packed(folder, {k: v for k, v in members(good).items() if k != "config.json"})


@attack("config that is no JSON")
def _(good, folder):
    return packed(folder, {**members(good), "config.json": b"{"})


@attack("config nested without end")
def _(good, folder):
    return packed(folder, {**members(good), "config.json": b'{"a":' * 100_000})


@attack("no weights")
def _(good, folder):
    return packed(folder, {k: v for k, v in members(good).items() if "weights" not in k})


@attack("weights that are text")
def _(good, folder):
    return packed(folder, {**members(good), "model.weights.h5": b"no HDF5"})


@attack("empty archive")
def _(good, folder):
    return packed(folder, {})


@attack("text")
def _(good, folder):
    path = os.path.join(folder, "attack.keras")
    with open(path, "wb") as file:
        file.write(b"this is no archive")
    return path


for _share in range(1, 10):

    @attack(f"cut at {_share} of 10")
    def _(good, folder, share=_share):
        with open(good, "rb") as file:
            data = file.read()
        path = os.path.join(folder, "attack.keras")
        with open(path, "wb") as file:
            file.write(data[: len(data) * share // 10])
        return path
