"""Updates of rows from several threads: none is lost, and no reader sees one half done."""

from __future__ import annotations

import threading

import numpy as np
import pytest

ROWS, COLUMNS, CALLS = 3000, 32, 40


@pytest.mark.parametrize("mode", ["eager", "function"])
def test_writers_and_a_reader(tf, mode):
    v = tf.Variable(np.zeros((ROWS, COLUMNS), np.float32))
    everything = tf.range(ROWS)

    def update():
        v.scatter_add(tf.IndexedSlices(tf.ones((ROWS, COLUMNS)), everything))

    update = tf.function(update) if mode == "function" else update
    update()
    torn, done = [], threading.Event()

    def read():
        while not done.is_set():
            value = v.numpy()
            if value.min() != value.max():
                torn.append((value.min(), value.max()))

    def write():
        for _ in range(CALLS):
            update()

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write) for _ in range(3)]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    np.testing.assert_array_equal(v.numpy(), np.full((ROWS, COLUMNS), 3 * CALLS + 1))
    assert not torn
