"""Large results wait in the queue like others; the device is asked for room before, rarely."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs JAX")

import gradtape as tf
from gradtape.backends.xla.runtime import deferral, deferred_array, memory
from gradtape.backends.xla.runtime.deferral import QUEUE
from gradtape.backends.xla.runtime.tensor import EAGER
from gradtape.core.native import extension, fusion_is_on

pytestmark = pytest.mark.skipif(
    not fusion_is_on(), reason="GRADTAPE_FUSE_FROM=0: no op is deferred"
)


@pytest.fixture(autouse=True)
def device(monkeypatch):
    """A device where 64 bytes are large."""
    for module in (deferral, deferred_array):
        monkeypatch.setattr(module, "LARGE", 64)
    with tf.device("/XLA:0"):
        EAGER.forget()
        yield
        EAGER.forget()


def grown(x, times: int):
    for _ in range(times):
        x = x * 1.5
    return x


def test_many_wait_after_few_questions(monkeypatch):
    questions = []
    monkeypatch.setattr(memory, "has_room", lambda size, where: questions.append(size) or True)
    x = tf.ones([32])
    for _ in range(2):  # the core in C queues the second time
        questions.clear()
        y = grown(x, 30)
        assert len(QUEUE) >= 30
        assert questions == [16 * 128, 16 * 17 * 128]
        np.testing.assert_allclose(y.numpy(), np.full(32, 1.5**30), rtol=1e-6)


@pytest.mark.skipif(extension is None, reason="needs the extension")
def test_the_core_queues_what_there_is_room_for(monkeypatch):
    x, added, add = tf.ones([32]), [], deferral.Queue.add
    grown(x, 2).numpy()
    monkeypatch.setattr(deferral.Queue, "add", lambda *given: added.append(1) or add(*given))
    y = grown(x, 15)
    assert len(added) == 1  # which asked
    np.testing.assert_allclose(y.numpy(), np.full(32, 1.5**15), rtol=1e-6)


def test_without_room_an_op_runs_at_once(monkeypatch):
    x = tf.ones([32])
    grown(x, 2).numpy()
    monkeypatch.setattr(memory, "has_room", lambda size, where: size <= 4 * 128)
    y = grown(x, 10)
    assert len(QUEUE) <= 4
    np.testing.assert_allclose(y.numpy(), np.full(32, 1.5**10), rtol=1e-6)
