"""Compiled programs outlive the process."""

from __future__ import annotations

import json
import os
import shutil
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
cache.install(by_default={default})  # by default where a GPU is found; before the next line
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
f = tf.function(lambda x: tf.linalg.expm(tf.sin(x)), jit_compile=True)
value = float(tf.reduce_sum(f(tf.ones((4, 4)))))
counts = [events.count(each) for each in ("cache_hits", "cache_misses")]
print(json.dumps([value, *counts, cache.described()]))
"""


def start(default: bool = False, **variables: str) -> subprocess.Popen:
    named = ("JAX_COMPILATION_CACHE_DIR", cache.VARIABLE)
    environment = {k: v for k, v in os.environ.items() if k not in named}
    # For the CPU, also where there is a GPU, whose programs would be counted, too.
    environment |= {"JAX_PLATFORMS": "cpu"}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM.replace("{default}", str(default))],
        env=environment | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen) -> list:
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    return json.loads(output.splitlines()[-1])


def run(default: bool = False, **variables: str) -> list:
    return finish(start(default, **variables))


def test_a_second_process_finds_what_the_first_compiled(tmp_path):
    folder = tmp_path / "programs"
    value, hits, misses, text = run(GRADTAPE_COMPILATION_CACHE=str(folder))
    assert (hits, misses) == (0, 1)
    assert text.startswith("1 (")
    assert text.endswith(f"are kept in {folder}")
    again, hits, misses, _ = run(GRADTAPE_COMPILATION_CACHE=str(folder))
    assert (hits, misses) == (1, 0)  # nothing was compiled
    assert again == value


def test_on_an_accelerator_programs_are_kept_by_default(tmp_path):
    usual = tmp_path / "gradtape" / "xla"
    # Two at once: whoever comes second finds a file, or writes it once more.
    both = [start(True, XDG_CACHE_HOME=str(tmp_path)) for _ in range(2)]
    values = [finish(each)[0] for each in both]
    assert values[0] == values[1]
    assert usual.stat().st_mode & 0o077 == 0
    value, hits, misses, text = run(True, XDG_CACHE_HOME=str(tmp_path))
    assert (value, hits, misses) == (values[0], 1, 0)
    assert text.endswith(f"are kept in {usual}")
    for path in usual.glob("*-cache"):
        path.write_bytes(b"damaged")
    assert run(True, XDG_CACHE_HOME=str(tmp_path))[:2] == [value, 0]
    shutil.rmtree(usual)
    assert run(True, XDG_CACHE_HOME=str(tmp_path))[:3] == [value, 0, 1]
    assert run(True, XDG_CACHE_HOME=str(tmp_path), GRADTAPE_COMPILATION_CACHE="0")[1] == 0


def test_on_the_cpu_nothing_is_kept_by_default(tmp_path):
    assert run(XDG_CACHE_HOME=str(tmp_path))[1:3] == [0, 0]
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path):
    (tmp_path / "gradtape").write_text("a file where the folder would be")
    _, hits, _, text = run(True, XDG_CACHE_HOME=str(tmp_path))
    assert hits == 0
    assert text.startswith("not kept")


def test_finding_an_accelerator_switches_it_on(monkeypatch):
    from gradtape.backends.xla.runtime import device

    asked = []
    monkeypatch.setattr(cache, "install", lambda by_default: asked.append(by_default))
    monkeypatch.setattr(cache.jax, "local_devices", lambda backend: ["one"])
    assert device._jax_devices("cpu") == ["one"]
    assert not asked
    assert device._jax_devices("gpu") == ["one"]
    assert asked == [True]


def test_the_folder_is_kept_small(tmp_path):
    for i, name in enumerate(("b", "c", "a")):
        path = tmp_path / f"{name}-cache"
        path.write_bytes(bytes(100))
        os.utime(path, (i, i))
    (tmp_path / "another file").write_bytes(bytes(1000))
    cache._shrink(tmp_path, 200)
    assert sorted(x.name for x in tmp_path.iterdir()) == ["a-cache", "another file", "c-cache"]
    cache._shrink(tmp_path, 0)
    assert [x.name for x in tmp_path.iterdir()] == ["another file"]


def test_switched_off_nothing_is_kept():
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
    assert cache.wanted_folder(by_default=True) is None
    monkeypatch.delenv(cache.VARIABLE)
    assert cache.wanted_folder() is None
    assert cache.wanted_folder(by_default=True) == tmp_path / "gradtape" / "xla"


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
