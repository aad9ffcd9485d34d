"""`import tensorflow_addons` in programs: gradtape.addons answers, and only to them."""

import pytest

pytestmark = pytest.mark.keras


def test_a_program_gets_addons(folder):
    text = """
        import importlib, importlib.util, sys
        import tensorflow as tf
        import tensorflow_addons as tfa
        from tensorflow_addons.layers import InstanceNormalization
        from tensorflow_addons.optimizers import AdamW
        import tensorflow_addons.image
        assert importlib.import_module("tensorflow_addons.losses") is tfa.losses
        assert importlib.util.find_spec("tensorflow_addons") is not None
        assert "tensorflow_addons" not in sys.modules
        print(tfa.__version__, InstanceNormalization()(tf.ones((1, 2, 2, 3))).shape)
        """
    assert folder.prints(text) == "0.23.0 (1, 2, 2, 3)\n"


def test_an_installed_package_that_looks_finds_none(folder):
    text = "import importlib.util\nfound = importlib.util.find_spec('tensorflow_addons')"
    folder.write("venv/site-packages/looks/__init__.py", text)
    site = str(folder.path / "venv" / "site-packages")
    assert folder.prints("import tensorflow, looks; print(looks.found)", path=site) == "None\n"


def test_parts_that_are_missing_say_so(folder):
    finished = folder.run("import tensorflow_addons as tfa\ntfa.seq2seq.BasicDecoder")
    assert "tfa.seq2seq is not among the parts of tensorflow_addons" in finished.stderr
