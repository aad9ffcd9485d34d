"""Graphs and sessions of TensorFlow 1: what can only be done with one skips the test."""

from __future__ import annotations

import contextlib
import unittest

from records import NEEDS_A_GRAPH

import gradtape as tf


def needs_a_graph(*args, **options):
    """Skip the test."""
    raise unittest.SkipTest(NEEDS_A_GRAPH)


class Graph:
    """Stands for a graph: it can be made, as arguments and class attributes are."""

    def __init__(self, *args, **options) -> None:
        pass

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        needs_a_graph()


graph_mode = get_default_graph = reset_default_graph = needs_a_graph
placeholder = placeholder_with_default = Session = InteractiveSession = needs_a_graph
get_collection = get_collection_ref = add_to_collection = Operation = needs_a_graph
import_graph_def = export_meta_graph = import_meta_graph = needs_a_graph


def gradients(ys, xs, *args, **options):
    """Return the gradients inside a function; outside of one, they need a graph."""
    return needs_a_graph() if tf.executing_eagerly() else tf.gradients(ys, xs, *args, **options)


class FakeSession:
    """What `cached_session()` gives: its `run` returns values that were computed eagerly."""

    def __enter__(self):
        return self

    def __exit__(self, *exception) -> None:
        pass

    def run(self, fetches, feed_dict=None, **options):
        if feed_dict:
            needs_a_graph()
        return tf.test.TestCase.evaluate(None, fetches)

    def __getattr__(self, name: str):
        needs_a_graph()


def initialized(*args, **options) -> None:
    """Return None: variables have their values."""


global_variables_initializer = variables_initializer = local_variables_initializer = initialized
tables_initializer = enable_eager_execution = ensure_initialized = initialized


@contextlib.contextmanager
def eager_mode():
    """Do nothing: functions run eagerly."""
    yield


@contextlib.contextmanager
def colocate_with(*args, **options):
    """Do nothing: there is one device."""
    yield


init_scope = tf.init_scope
ASYNC, SYNC = 1, 0


def num_gpus() -> int:
    """Return 0: what runs on GPUs is not tested here."""
    return 0


def executing_eagerly_outside_functions() -> bool:
    """Return True."""
    return True
