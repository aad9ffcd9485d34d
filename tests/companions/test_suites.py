"""The run of a library's own tests: what it says of files that pytest cannot collect."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SUITES = Path(__file__).parent / "suites"
TESTS = "def test_one():\n    pass\n\n\ndef test_two():\n    pass\n"
# What a file does on one of the sides, where the other has nothing against it.
FAILS = """
import os

if os.environ["COMPANION_SIDE"] == "{side}":
    raise ImportError("no name TensorLike {{}}".format("in it"))
"""


@pytest.fixture
def compare(tmp_path):
    """Return a function that compares files of tests on both sides, here the same Python."""

    def compare(files: dict[str, str], *options: str) -> tuple[int, str]:
        for name, text in files.items():
            path = tmp_path / "checkout" / "tests" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        command = [sys.executable, str(SUITES / "run.py"), "zfit", *options]
        command += ["--source", str(tmp_path / "checkout"), "--other", sys.executable]
        command += ["--results", str(tmp_path / "results")]
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        assert not finished.stderr
        return finished.returncode, finished.stdout

    return compare


def counts(output: str) -> list[str]:
    return next(line.split()[1:] for line in output.splitlines() if line.startswith("all "))


@pytest.mark.parametrize("options", [(), ("--failing",)], ids=["both sides", "failing"])
def test_a_conftest_that_fails_here(compare, options):
    files = {"conftest.py": FAILS.format(side="here"), "test_a.py": TESTS, "test_b.py": TESTS}
    status, output = compare(files, *options)
    assert status == 1
    assert "not collected here: 2 files, whose tests count as not passing" in output
    assert "tests/test_a.py and 1 more" in output
    assert "      E   ImportError: no name TensorLike in it" in output
    assert counts(output) == ["4", "0", "0.0%", "0"]
    assert "4  not collected: exit status 4: ImportError: no name TensorLike in it" in output


def test_a_conftest_that_fails_on_the_other_side(compare):
    files = {"conftest.py": FAILS.format(side="there"), "test_a.py": TESTS}
    status, output = compare(files)
    assert status == 1
    assert "not collected on TensorFlow: 1 file, whose tests are not counted" in output
    assert "      E   ImportError: no name TensorLike in it" in output
    assert "nothing is compared: no test passes on TensorFlow" in output
    # What it said then is not what is known of it.
    assert compare({"conftest.py": ""}) == (0, compare({})[1])


def test_a_conftest_of_some_of_the_files(compare):
    files = {"test_a.py": TESTS, "test_b.py": TESTS, "test_c.py": TESTS}
    fails = {"model/conftest.py": FAILS.format(side="here"), "model/test_d.py": TESTS}
    status, output = compare(files | fails)
    assert status == 1
    assert "not collected here: 1 file, whose tests count as not passing" in output
    assert "  tests/model/test_d.py\n" in output
    assert counts(output) == ["8", "6", "75.0%", "0"]


def test_an_import_that_fails_in_one_file(compare):
    files = {"test_a.py": FAILS.format(side="here") + TESTS, "test_b.py": TESTS}
    status, output = compare(files)
    assert status == 1
    assert (
        "not collected here: 1 file, whose tests count as not passing\n  tests/test_a.py\n"
        in output
    )
    assert "no name TensorLike in it" in output
    assert counts(output) == ["4", "2", "50.0%", "0"]


def test_a_process_that_ends_while_it_collects(compare):
    ends = 'import os\n\nif os.environ["COMPANION_SIDE"] == "here":\n    os._exit(3)\n'
    status, output = compare({"test_a.py": ends + TESTS, "test_b.py": TESTS})
    assert status == 1
    assert "not collected here: 1 file" in output
    assert "exit status 3" in output
    assert counts(output) == ["4", "2", "50.0%", "0"]


def test_results_of_the_other_side_are_used_again(compare, tmp_path):
    assert compare({"test_a.py": TESTS})[0] == 0
    log = tmp_path / "results" / "zfit" / "there.jsonl"
    records = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [record["outcome"] for record in records] == ["passed", "passed"]
    log.write_text("".join(json.dumps(r | {"outcome": "failed"}) + "\n" for r in records), "utf-8")
    assert "nothing is compared" in compare({})[1]
