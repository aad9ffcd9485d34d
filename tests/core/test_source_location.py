"""Which files are the user's; syntax trees in threads."""

import ast
import os
import sys
import types

import pytest

from gradtape.core import source_location


def test_a_library_is_known_wherever_it_is_installed(monkeypatch):
    library = types.ModuleType("keras")
    library.__path__ = [os.path.join(os.sep, "elsewhere", "keras")]
    monkeypatch.setitem(sys.modules, "keras", library)
    assert not source_location.is_users_file(os.path.join(library.__path__[0], "src", "model.py"))
    assert source_location.is_users_file(os.path.join(os.sep, "elsewhere", "program.py"))


def test_parsing_is_tried_again_when_another_thread_parsed_meanwhile(monkeypatch):
    real, failures = ast.parse, [2]

    def parse(text, mode):
        if failures[0]:
            failures[0] -= 1
            raise SystemError("AST constructor recursion depth mismatch (before=51, after=48)")
        return real(text, mode=mode)

    monkeypatch.setattr(ast, "parse", parse)
    assert len(source_location.parse("a\nb").body) == 2
    assert failures == [0]


def test_other_errors_of_the_interpreter_are_raised_at_once():
    calls = []

    def fails():
        calls.append(1)
        raise SystemError("another")

    with pytest.raises(SystemError, match="another"):
        source_location.while_parsing(fails)
    assert calls == [1]
