"""Compiled programs outlive the process where the environment asks for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

from gradtape.backends.xla import cache

PROGRAM = """
import json, jax
events = []
jax.monitoring.register_event_listener(lambda event, **_: events.append(event.rsplit("/")[-1]))
import gradtape as tf
from gradtape.backends.xla import cache
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
f = tf.function(lambda x: tf.linalg.expm(tf.sin(x)), jit_compile=True)
value = float(tf.reduce_sum(f(tf.ones((4, 4)))))
counts = [events.count(each) for each in ("cache_hits", "cache_misses")]
print(json.dumps([value, *counts, cache.described()]))
"""


def run(**variables: str) -> list:
    environment = {k: v for k, v in os.environ.items() if k != "JAX_COMPILATION_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_a_second_process_finds_what_the_first_compiled(tmp_path):
    folder = tmp_path / "programs"
    value, hits, misses, text = run(GRADTAPE_COMPILATION_CACHE=str(folder))
    assert (hits, misses) == (0, 1)
    assert text.startswith("1 (")
    assert text.endswith(f"are kept in {folder}")
    again, hits, misses, _ = run(GRADTAPE_COMPILATION_CACHE=str(folder))
    assert (hits, misses) == (1, 0)  # nothing was compiled
    assert again == value


def test_without_the_variable_nothing_is_kept():
    _, hits, _, text = run(GRADTAPE_COMPILATION_CACHE="0")
    assert hits == 0
    assert text.startswith("not kept from one process to the next: GRADTAPE_COMPILATION_CACHE=1")


def test_the_usual_folder(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(cache.VARIABLE, "1")
    assert cache.wanted_folder() == tmp_path / "gradtape" / "xla"
    monkeypatch.setenv(cache.VARIABLE, "~/programs")
    assert cache.wanted_folder() == Path.home() / "programs"
    monkeypatch.setenv(cache.VARIABLE, "off")
    assert cache.wanted_folder() is None


def test_a_folder_that_is_named_already_stays(monkeypatch, tmp_path):
    class Config:
        jax_compilation_cache_dir = "of the program"

        def update(self, name, value):
            raise AssertionError(name)

    monkeypatch.setattr(cache.jax, "config", Config())
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    cache.install()


def test_the_doctor_tells_what_compiling_takes():
    from gradtape.cli import runtime_info as machinery

    first, compiled, kept = machinery.xla().splitlines()
    assert first.startswith("JAX ")
    seconds = compiled.removeprefix("a small training step took ").removesuffix(" s to compile")
    assert float(seconds) > 0
    assert kept.startswith("programs: ")
