"""Processes that a program under `gradtape run` starts have gradtape as TensorFlow, too."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

LIMIT = 600  # seconds after which a program that hangs has failed


def run(folder, text: str, path: str = "") -> str:
    """What a program prints that ends well, and in time."""
    folder.write("program.py", text)
    positions = [path, os.environ.get("PYTHONPATH", "")]
    finished = subprocess.run(
        [sys.executable, "-m", "gradtape", "run", "program.py"],
        cwd=folder.path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, positions))},
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == ""
    return finished.stdout


WORKERS = """
    import multiprocessing, sys
    from concurrent.futures import ProcessPoolExecutor
    import tensorflow as tf
    from helper import squared  # a module of the program, which asks for TensorFlow itself

    def work(x):
        import tensorflow
        return float(squared(tf.constant(x))), tensorflow is tf

    if __name__ == "__main__":
        context = multiprocessing.get_context({method!r})
        {body}
    """
BODIES = {
    "pool": "with context.Pool(1) as pool: print(pool.map(work, [1.0, 2.0]))",
    "executor": (
        "with ProcessPoolExecutor(1, mp_context=context) as pool: "
        "print(list(pool.map(work, [1.0, 2.0])))"
    ),
}


@pytest.mark.parametrize(
    ("method", "body"),
    [("spawn", "pool"), ("spawn", "executor"), ("forkserver", "pool"), ("fork", "pool")],
)
def test_workers_of_multiprocessing(folder, method, body):
    folder.write("helper.py", "import tensorflow as tf\ndef squared(x): return tf.square(x)\n")
    text = textwrap.dedent(WORKERS).format(method=method, body=BODIES[body])
    assert run(folder, text) == "[(1.0, True), (4.0, True)]\n"


def test_workers_that_load_data(folder):
    """As data loaders do: processes that send batches through a queue until told to end."""
    out = run(
        folder,
        """
        import multiprocessing, numpy as np
        import tensorflow as tf

        def load(numbers, batches):
            for n in iter(numbers.get, None):
                batches.put(tf.fill([2], float(n)).numpy())

        if __name__ == "__main__":
            context = multiprocessing.get_context("spawn")
            numbers, batches = context.Queue(), context.Queue()
            workers = [context.Process(target=load, args=(numbers, batches)) for _ in range(2)]
            for worker in workers: worker.start()
            for n in range(4): numbers.put(n)
            found = sorted(batches.get(timeout=500).tolist() for _ in range(4))
            for _ in workers: numbers.put(None)
            for worker in workers: worker.join(500)
            print(found, [worker.exitcode for worker in workers])
        """,
    )
    assert out == "[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]] [0, 0]\n"


def test_a_pickled_function_that_names_the_module(folder):
    """As joblib sends functions of the main program: by value, with the globals that they use."""
    out = run(
        folder,
        """
        import pickle, subprocess, sys
        import tensorflow as tf
        text = pickle.dumps(tf)
        assert pickle.loads(text) is tf
        code = f"import pickle; tf = pickle.loads({text!r})"
        code += "\\nimport tensorflow; print(tensorflow is tf)"
        print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
        """,
    )
    assert out == "True\n\n"


ASKING = {
    "statement": "import tensorflow as tf; print(tf.__version__)",
    "import_module": "import importlib; print(importlib.import_module('tensorflow').__version__)",
    "find_spec": "import importlib.util as u; print(u.find_spec('tensorflow').name)",
    "exec": "exec('import tensorflow as tf; print(tf.__version__)', {})",
}


def children(folder, *commands: list[str], path: str = "", before: str = "") -> list[list]:
    """[exit code, last line] of children of a program; each is Python with these arguments."""
    text = f"""
        import json, os, subprocess, sys
        {before}
        found = []
        for command in {list(commands)!r}:
            done = subprocess.run([sys.executable, *command], capture_output=True, text=True)
            lines = (done.stdout + done.stderr).splitlines()
            found.append([done.returncode, lines[-1] if lines else ""])
        print(json.dumps(found))
        """
    return json.loads(run(folder, text, path))


def test_children_by_subprocess(folder):
    result = children(folder, *(["-c", text] for text in ASKING.values()))
    versions = [[0, "2.21.0"], [0, "2.21.0"], [0, "tensorflow"], [0, "2.21.0"]]
    assert result == versions


def test_a_child_s_own_child_and_its_modules(folder):
    folder.write("helper.py", "import tensorflow as tf\nVERSION = tf.__version__\n")
    folder.write("child.py", "import helper\nprint(helper.VERSION)\n")
    nested = "import subprocess, sys; sys.exit(subprocess.call([sys.executable, 'child.py']))"
    result = children(folder, ["child.py"], ["-c", nested], ["-m", "gradtape", "run", "child.py"])
    assert result == [[0, "2.21.0"]] * 3


def test_children_that_do_not_want_it(folder):
    asking = ASKING["statement"]
    missing = [1, "ModuleNotFoundError: No module named 'tensorflow'"]
    assert children(folder, ["-I", "-c", asking], ["-E", "-c", asking], ["-S", "-c", asking]) == (
        [missing] * 3
    )
    assert children(folder, ["-c", asking], before="del os.environ['GRADTAPE_RUN']") == [missing]


def test_a_child_of_another_environment(folder):
    other = "os.environ['GRADTAPE_RUN'] = json.dumps(['.', [], '/elsewhere'])"
    result = children(folder, ["-c", ASKING["statement"]], before=other)
    assert result == [[1, "ModuleNotFoundError: No module named 'tensorflow'"]]


def test_installed_packages_in_a_child_see_no_tensorflow(folder):
    asking = (
        "try:\n    import tensorflow\n    print('there')\nexcept ImportError:\n    print('no')\n"
    )
    folder.write("lib/site-packages/asker.py", asking)
    path = str(folder.path / "lib" / "site-packages")
    assert children(folder, ["-m", "asker"], ["-c", "import asker"], path=path) == [[0, "no"]] * 2


def test_a_child_starts_as_python_does(folder):
    """The path is Python's, another sitecustomize still runs, and gradtape is not loaded yet."""
    folder.write("site/sitecustomize.py", "MINE = 'found'\n")
    look = "import sys, sitecustomize as s; print(s.MINE, 'numpy' in sys.modules, sys.path)"
    path = str(folder.path / "site")
    [[code, line]] = children(folder, ["-c", look], path=path)
    assert code == 0
    assert line.startswith("found False [")
    assert "child_path" not in line
    [[code, line]] = children(folder, ["-c", "import sys; print('numpy' in sys.modules)"])
    assert [code, line] == [0, "False"]


def test_joblib(folder):
    pytest.importorskip("joblib")
    out = run(
        folder,
        """
        import joblib
        import tensorflow as tf

        def work(x):
            return float(tf.square(tf.constant(x)))

        if __name__ == "__main__":
            print(joblib.Parallel(2)(joblib.delayed(work)(x) for x in [1.0, 2.0]))
        """,
    )
    assert out == "[1.0, 4.0]\n"
