"""Which files are the user's."""

import os
import sys
import types

from gradtape.core import source_location


def test_a_library_is_known_wherever_it_is_installed(monkeypatch):
    library = types.ModuleType("keras")
    library.__path__ = [os.path.join(os.sep, "elsewhere", "keras")]
    monkeypatch.setitem(sys.modules, "keras", library)
    assert not source_location._is_users(os.path.join(library.__path__[0], "src", "model.py"))
    assert source_location._is_users(os.path.join(os.sep, "elsewhere", "program.py"))
