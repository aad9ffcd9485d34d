"""Servers and clients, which need gRPC: what is said instead."""

import pytest

import gradtape as tf

experimental = tf.profiler.experimental


def test_a_program_with_a_server_goes_on(caplog):
    assert experimental.server.start(6009) is None
    assert "server.start(6009): no server was started" in caplog.text
    with pytest.raises(TypeError):
        experimental.server.start("x")


@pytest.mark.parametrize(
    "call",
    [
        lambda: experimental.client.trace("grpc://localhost:6009", "logs", 2000),
        lambda: experimental.client.monitor("grpc://localhost:6009", 100),
    ],
)
def test_clients_say_what_to_do(call):
    message = r"there is no gRPC here.*Profile in that process"
    with pytest.raises(tf.errors.UnimplementedError, match=message):
        call()


def test_durations():
    for client in (experimental.client.monitor, lambda a, n: experimental.client.trace(a, "b", n)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be greater than zero"):
            client("grpc://localhost:6009", 0)
