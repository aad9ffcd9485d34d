"""A pytest plugin for the tests of a library: serves gradtape, chooses tests, logs each result."""

import json
import os
import re
import signal
import sys
from pathlib import Path

if os.environ["COMPANION_SIDE"] == "here":
    # From now on, `import tensorflow` is gradtape, as under `gradtape run --serve …`.
    from gradtape.serving.hooks import ImportHooks
    from gradtape.serving.libraries import served_by

    hooks = ImportHooks
    if os.environ["COMPANION_CHECKOUT"]:
        from stand_ins.here import Hooks as hooks
        from stand_ins.here import install

        install(Path(os.environ["COMPANION_CHECKOUT"]))
    hooks(os.getcwd(), served_by(os.getcwd(), os.environ["COMPANION_SERVED"].split())).install()

import pytest
from libraries import sample
from records import GRAPH, NEEDS_A_GRAPH, NOT_COLLECTED, append, cause, read
from stand_ins.checkout import Shared

CHECKOUT = os.environ["COMPANION_CHECKOUT"]  # of TensorFlow, whose own tests are run; or ""
LOG = Path(os.environ["COMPANION_LOG"])
SHARE = float(os.environ["COMPANION_SHARE"])
EACH = int(os.environ["COMPANION_EACH"])
SEED = os.environ["COMPANION_SEED"]
GRAPHS = os.environ["COMPANION_GRAPHS"]
SECONDS = float(os.environ["COMPANION_SECONDS"])
ONLY = json.loads(os.environ["COMPANION_ONLY"])  # tests and whole files, or None for all
_running: dict[str, dict] = {}


class OutOfTime(BaseException):
    """A test has used up its time; not an Exception, which it might catch."""


def pytest_configure(config):
    from absl import flags

    flags.FLAGS.mark_as_parsed()
    if CHECKOUT and os.environ["COMPANION_SIDE"] == "there":
        Shared(Path(CHECKOUT)).install("tensorflow.python.{}".format)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    done = set(read(LOG))
    graphs = {item.nodeid for item in items if GRAPHS and re.search(GRAPHS, item.nodeid)}
    for test in sample(sorted(graphs), SHARE, SEED, len(graphs)) - done:
        append(LOG, id=test, outcome=GRAPH)
    # A method of TensorFlow's TestCase has a name like a test.
    tests = [item.nodeid for item in items if not item.nodeid.endswith("::test_session")]
    others = [test for test in tests if test not in graphs]
    wanted = sample(others, SHARE, SEED, EACH) - done
    if ONLY is not None:
        wanted = {test for test in wanted if test in ONLY or test.partition("::")[0] in ONLY}
    items[:] = [item for item in items if item.nodeid in wanted]


def pytest_collectreport(report):
    if report.failed:
        text = str(report.longrepr)
        append(LOG, id=report.nodeid, outcome=NOT_COLLECTED, cause=cause(text), text=text[-6000:])


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item, nextitem):
    def stop(*_):
        raise OutOfTime

    # The process's own time: it does not depend on what else the machine does.
    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    LOG.with_suffix(".running").write_text(item.nodeid, "utf-8")
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    LOG.with_suffix(".running").unlink()


def pytest_runtest_logreport(report):
    record = _running.setdefault(report.nodeid, {"id": report.nodeid, "outcome": "passed"})
    if report.outcome != "passed" and record["outcome"] == "passed":
        text = str(report.longrepr)
        outcome = GRAPH if report.skipped and NEEDS_A_GRAPH in text else report.outcome
        record |= {"outcome": outcome, "cause": cause(text), "text": text[-6000:]}
    if report.when == "teardown":
        append(LOG, **_running.pop(report.nodeid))
        sys.stdout.flush()
