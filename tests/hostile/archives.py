"""Keras files that are bombs, hold pickles, or lie about what is packed, by a generator.

As in keras_files.py: each attack is a function of a good file and of a folder.
"""

import io
import os
import pickle
import struct
import zipfile

import numpy as np

from tests.hostile.keras_files import marker, members, packed

BOMB = bytes(100 << 20)  # more than any member of a good file, and than the test allows
HUGE = 2**40
ATTACKS = {}


def attack(name):
    def register(function):
        ATTACKS[name] = function
        return function

    return register


class Evil:
    """An object whose pickle makes a file when it is read."""

    def __init__(self, folder):
        self.path = marker(folder)

    def __reduce__(self):
        return os.mkdir, (self.path,)


def patched(path, change):
    """Change the bytes of an archive: `change` takes a bytearray and the places of its entries."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    positions = []
    at = data.find(b"PK\x01\x02")
    while at >= 0:
        positions.append(at)
        at = data.find(b"PK\x01\x02", at + 4)
    change(data, positions)
    with open(path, "wb") as file:
        file.write(data)
    return path


# --- bombs ---------------------------------------------------------------------------------------


for _name in ("config.json", "metadata.json", "model.weights.h5", "assets/_layer/vocabulary.txt"):

    @attack(f"{_name} is a bomb")
    def _(good, folder, name=_name):
        return packed(folder, {**members(good), "assets/x": b"", "assets/y": b"", name: BOMB})


def _claims(offset, form, value):
    """An attack that writes another number into an entry of the list of an archive's members."""

    def make(good, folder, name):
        path = packed(folder, members(good))

        def change(data, positions):
            for at in positions:
                size = struct.unpack_from("<H", data, at + 28)[0]
                if data[at + 46 : at + 46 + size] == name.encode():
                    struct.pack_into(form, data, at + offset, value)

        return patched(path, change)

    return make


for _name in ("config.json", "model.weights.h5"):
    for _kind, _change in {
        "claims 4 GB": _claims(24, "<I", 2**32 - 2),
        "claims less than it has": _claims(24, "<I", 3),
        "is stored in nothing": _claims(20, "<I", 0),
        "starts behind the end": _claims(42, "<I", 2**31),
        "is encrypted": _claims(8, "<H", 1),
        "has an unknown compression": _claims(10, "<H", 99),
        "has another checksum": _claims(16, "<I", 1),
    }.items():

        @attack(f"{_name} {_kind}")
        def _(good, folder, name=_name, change=_change):
            return change(good, folder, name)


@attack("all members are the same bytes")
def _(good, folder):
    path = packed(folder, members(good))

    def change(data, positions):
        for at in positions:
            struct.pack_into("<I", data, at + 42, 0)

    return patched(path, change)


@attack("an archive in an archive")
def _(good, folder):
    with open(good, "rb") as file:
        whole = file.read()
    return packed(folder, {"config.json": whole, "model.weights.h5": whole})


# --- weights as .npz -----------------------------------------------------------------------------


def with_npz(parts):
    """A model whose weights are an .npz of these members, as bytes, or an .npz as a whole."""

    def make(good, folder):
        content = parts(folder)
        if isinstance(content, dict):
            file = io.BytesIO()
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, data in content.items():
                    archive.writestr(name, data)
            content = file.getvalue()
        rest = {k: v for k, v in members(good).items() if k != "model.weights.h5"}
        return packed(folder, {**rest, "model.weights.npz": content})

    return make


def npy(header, data=b""):
    text = header.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


def array(shape="(3, 2)", descr="'<f4'", order="False", data=bytes(24)):
    return npy(f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}}}", data)


def pickled(folder):
    content = io.BytesIO()
    box = np.empty((), object)
    box[()] = Evil(folder)
    np.save(content, box, allow_pickle=True)
    return content.getvalue()


LAYER = "layers/dense.npy"
NPZ = {
    "a pickle of an object": lambda folder: {LAYER: pickled(folder)},
    "a pickle at its root": lambda folder: {"__root__.npy": pickled(folder)},
    "a pickle instead": lambda folder: pickle.dumps(Evil(folder)),
    "a pickle in a member": lambda folder: {LAYER: pickle.dumps(Evil(folder))},
    "objects of no pickle": lambda folder: {LAYER: array(descr="'|O'", data=b"x" * 48)},
    "objects in fields": lambda folder: {LAYER: array(descr="[('a', '|O')]", data=b"x" * 48)},
    "a call in its header": lambda folder: {
        LAYER: npy(f"__import__('os').mkdir({marker(folder)!r})", bytes(24))
    },
    "a call as its dtype": lambda folder: {
        LAYER: array(descr=f"__import__('os').mkdir({marker(folder)!r})")
    },
    "a header nested deeply": lambda folder: {LAYER: npy("(" * 90 + ")" * 20)},
    "a header of 60,000 bytes": lambda folder: {
        LAYER: b"\x93NUMPY\x01\x00" + struct.pack("<H", 60_000) + b"[" * 60_000
    },
    "a header of 4 GB": lambda folder: {
        LAYER: b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1) + b"{"
    },
    "a header of no dictionary": lambda folder: {LAYER: npy("[1, 2, 3]")},
    "an unknown version": lambda folder: {LAYER: b"\x93NUMPY\x09\x09" + bytes(100)},
    "a bomb": lambda folder: {LAYER: array("(26214400,)", data=BOMB)},
    "no array": lambda folder: {LAYER: b"text"},
    "nothing in it": lambda folder: {LAYER: b""},
    "no archive": lambda folder: b"PK\x03\x04 and nothing more",
    "strings": lambda folder: {LAYER: array("(4,)", "'<U3'", data=bytes(48))},
    "a wrong shape": lambda folder: {LAYER: array("(7,)", data=bytes(28))},
    **{
        f"a shape of {shape}": (lambda folder, shape=shape: {LAYER: array(shape)})
        for shape in (
            "(2**63,)", f"({2**63},)", f"({2**62}, 4)", f"({2**40},)", f"({2**31}, {2**31})",
            "(-1,)", f"(0, {2**64})", "('a',)", "3", "None", "(1.5,)", "(" + "2, " * 60 + ")",
        )
    },
}  # fmt: skip
ATTACKS |= {f"weights: {name}": with_npz(parts) for name, parts in NPZ.items()}
