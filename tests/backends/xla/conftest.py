"""Fixtures for tests of deferred ops on a device."""

from __future__ import annotations

import pytest


@pytest.fixture
def at_once(monkeypatch):
    """Ops are compiled as one program the first time that they are queued."""
    from gradtape.backends.xla.runtime import repetition

    monkeypatch.setattr(repetition, "REPEATS", 0)


@pytest.fixture
def runs(monkeypatch):
    """How the queue was run: "together", or the number of ops that ran one by one."""
    from gradtape.backends.xla.runtime import repetition

    result = []
    each, results, compiled = repetition.run_each, repetition._results, repetition._compiled

    def counted_program(key, leaves):
        call = compiled(key, leaves)

        def counted(*arguments):
            result.append("together")
            return call(*arguments)

        return counted

    def counted_each(waiting, read):
        result.append(0)
        each(waiting, read)

    def counted_results(call):
        result[-1] += 1
        return results(call)

    monkeypatch.setattr(repetition, "run_each", counted_each)
    monkeypatch.setattr(repetition, "_results", counted_results)
    monkeypatch.setattr(repetition, "_compiled", counted_program)
    return result
