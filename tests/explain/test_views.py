"""Memory, times, the printed table, the drawings and the page."""

import json
import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf
from gradtape.explain.page import write


@pytest.fixture
def taped():
    """A small network on a tape, and its loss."""
    random = np.random.default_rng(0)
    w = tf.Variable(random.standard_normal((8, 4)), name="w", dtype=tf.float32)
    x = tf.constant(random.standard_normal((16, 8)), tf.float32)

    def layer(values):
        return tf.tanh(values @ w)

    with tf.GradientTape(persistent=True) as tape:
        hidden = layer(x)
        loss = tf.reduce_mean(hidden**2)
    return tape, loss


def test_memory_counts_what_is_kept_once(taped):
    tape, _ = taped
    memory = tape.memory()
    # matmul keeps the constant x, tanh its result, which square keeps as its input, too.
    assert memory.by_index == [16 * 8 * 4, 16 * 4 * 4, 0, 0]
    assert memory.total_bytes == sum(memory.by_index)
    assert memory.held_anyway_bytes == 8 * 4 * 4
    assert [s.name for s in memory.by_op][:2] == ["matmul", "tanh"]
    assert memory.by_line[0].location.text == "return tf.tanh(values @ w)"
    assert memory.by_line[0].ops == 2


def test_memory_counts_the_buffer_behind_a_view():
    x = tf.Variable(np.zeros(1000, np.float32))
    with tf.GradientTape() as tape:
        y = tf.exp(x)
        tf.reduce_sum(y[:10] ** 2)
    assert tape.memory().total_bytes == 4000


def test_memory_as_a_table(taped):
    text = str(taped[0].memory())
    assert text.startswith("The tape keeps 768 B for 4 ops")
    assert "return tf.tanh(values @ w)" in text


def test_profile_times_every_op(taped):
    tape, loss = taped
    profile = tape.profile(loss)
    assert [t.name for t in profile.ops] == ["matmul", "tanh", "square", "reduce_mean"]
    assert all(t.forward > 0 and t.backward > 0 for t in profile.ops)
    assert profile.ops[-1].norm == 1.0
    assert sum(t.ops for t in profile.by_line) == 4
    assert profile.forward == pytest.approx(sum(t.forward for t in profile.by_op))
    assert "4 ops: forward" in str(profile)
    assert tape.gradient(loss, tape.watched_variables()[0]) is not None  # the record is whole


def test_profile_without_a_target_starts_from_every_result(taped):
    assert all(t.backward > 0 for t in taped[0].profile(repeats=1).ops)


def test_profile_of_many_kinds_of_ops():
    x = tf.Variable(np.linspace(0.1, 1.0, 12, dtype=np.float32).reshape(3, 4))
    with tf.GradientTape() as tape:
        y = tf.concat([x, x * 2.0, x + 1.0], 0)
        y = tf.gather(y, [0, 2, 4]) / tf.reduce_max(y)
        z = tf.cast(y, tf.float64)
        parts = tf.split(z, 2, axis=1)
        loss = tf.reduce_sum(parts[0]) + tf.math.real(
            tf.reduce_sum(tf.signal.fft(tf.complex(z, z * 0.0)))
        )
    profile = tape.profile(repeats=1)
    assert {t.name for t in profile.ops} >= {"concat", "gather", "cast", "split", "fft"}
    assert tape.profile(loss, repeats=1).backward > 0


def test_profile_refuses_what_it_cannot_do(taped):
    with pytest.raises(ValueError, match="repeats must be a whole number of 1 or more, got 0"):
        taped[0].profile(repeats=0)
    with pytest.raises(ValueError, match="not computed from anything that this tape watches"):
        taped[0].profile(tf.constant(1.0))


def test_a_tape_prints_as_a_table(taped):
    lines = str(taped[0]).splitlines()
    assert lines[0] == "<tf.GradientTape: 4 ops, 1 watched, keeps 768 B>"
    assert lines[1] == "watches w"
    assert re.match(r" ?0 +matmul +const, w +\[16, 4\] +512 B .*test_views.py:\d+", lines[4])
    assert re.match(r" ?2 +square +#1 ", lines[6])


def test_a_long_tape_prints_its_ends():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x
        for _ in range(200):
            y = y * 1.01
    text = str(tape)
    assert "(160 more)" in text
    assert len(text.splitlines()) < 50


def test_a_terminal_gets_a_table_by_rich(taped, monkeypatch):
    pytest.importorskip("rich", reason="rich is an optional extra")
    import sys

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    text = str(taped[0])
    assert "\x1b[" in text
    assert "matmul" in text


def test_a_narrow_terminal_cuts_the_code_and_nothing_else(taped, monkeypatch):
    pytest.importorskip("rich", reason="rich is an optional extra")
    import sys

    from gradtape.explain.tables import table

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "60")
    rows = [["matmul", "program.py:12", "loss = tf.reduce_mean(tf.square(model(x) - y))"]] * 3
    lines = table("Title", ["op", "line", "code"], rows).splitlines()
    assert len(lines) == 6  # the title, the head, its rule and the rows
    assert lines[0] == "Title"
    assert "program.py:12" in lines[-1]
    assert lines[-1].rstrip().endswith("…")


def test_the_graph_for_graphviz(taped):
    dot = taped[0].to_dot()
    assert dot.startswith("digraph tape {")
    assert 'n0 [label="w\\nvariable [8, 4]"' in dot
    assert "n0 -> n1;" in dot
    assert dot.count("->") == 4


def test_the_drawing_is_an_image(taped):
    root = ElementTree.fromstring(taped[0].to_svg())
    assert root.tag.endswith("svg")
    words = ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("text")]
    assert {"w", "matmul", "tanh", "square", "reduce_mean"} <= set(words)
    boxes = [e.attrib for e in root.iter() if e.tag.endswith("rect")]
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for box in boxes:
        assert 0 <= float(box["x"]) <= float(box["x"]) + float(box["width"]) <= width
        assert 0 <= float(box["y"]) <= float(box["y"]) + float(box["height"]) <= height


def test_a_long_record_is_drawn_by_lines():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x
        for _ in range(400):
            y = tf.sin(y) * 1.01
    assert "800 ops" in tape.to_svg()


def test_an_empty_tape_can_be_shown():
    with tf.GradientTape() as tape:
        pass
    assert str(tape) == "<tf.GradientTape: 0 ops, 0 watched, keeps 0 B>"
    ElementTree.fromstring(tape.to_svg())
    assert '"ops":[]' in tape.to_html()
    assert tape.profile().ops == []


def page_data(page: str) -> dict:
    actual = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    return json.loads(actual[1].replace("<\\/", "</"))


def test_the_page_holds_everything(taped, tmp_path):
    tape, loss = taped
    path = tmp_path / "tape.html"
    page = tape.to_html(path, loss)
    assert path.read_text(encoding="utf-8") == page
    assert "http" not in page.replace("http://www.w3.org", "")
    data = page_data(page)
    assert [op[0] for op in data["ops"]] == ["matmul", "tanh", "square", "reduce_mean"]
    assert data["ops"][-1][8] == 1.0
    assert data["watched"] == [["w", "[8, 4]", "float32", True]]
    assert data["findings"] == []
    assert data["title"] == "test_views.py: gradient of loss"
    assert "<title>test_views.py: gradient of loss</title>" in page
    assert {location[3].rsplit(".", 1)[-1] for location in data["locations"]} == {"layer", "taped"}


def test_text_of_the_program_cannot_break_the_page():
    x = tf.Variable(1.0, name="</script><b>__DATA__")
    with tf.GradientTape() as tape:
        x * 2.0  # </script>
    page = tape.to_html()
    assert page.count("</script>") == 3
    assert page_data(page)["watched"][0][0] == "</script><b>__DATA__"


def test_gradients_that_are_not_finite_are_shown():
    x = tf.Variable(0.0)
    with tf.GradientTape() as tape:
        y = tf.sqrt(x * 1.0) * 1.0
    assert page_data(tape.to_html(target=y))["ops"][0][8] == "inf"


def test_what_is_wrong_is_at_the_top_of_the_page():
    x, w = tf.Variable([0.0, 1.0], name="x"), tf.Variable(1.0, name="w")
    with tf.GradientTape() as tape:
        w * 2.0
        y = tf.reduce_sum(tf.where(x > 0.5, x, 0.0) * tf.math.log(x))
    data = page_data(tape.to_html(target=y))
    nan, none = data["findings"]
    assert nan["headline"].startswith("The value of `log` is not finite: the logarithm of 0.")
    assert data["ops"][nan["op"]][0] == "log"
    assert "Cure: " in nan["text"]
    assert none["headline"].startswith("No gradient for 'w': the target does not depend on it.")
    assert (nan["kind"], none["kind"]) == ("nan", "none")


def test_a_page_is_compared_with_one_written_before(taped, tmp_path):
    tape, loss = taped
    tape.to_html(tmp_path / "old.html", loss)
    page = tape.to_html(target=loss, compare=tmp_path / "old.html")
    earlier = page.split('<script id="earlier" type="application/json">')[1].split("</script>")[0]
    assert json.loads(earlier)["title"] == "test_views.py: gradient of loss"
    with pytest.raises(ValueError, match=r"cannot compare with .*none.html': .*No such file"):
        tape.to_html(compare=tmp_path / "none.html")
    (tmp_path / "other.html").write_text("<p>")
    with pytest.raises(ValueError, match="it is no page of a tape"):
        tape.to_html(compare=tmp_path / "other.html")


def test_the_parts_of_the_page_are_in_the_wheel():
    folder = Path(write.__file__).parent
    table = tomllib.loads((folder.parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = table["tool"]["setuptools"]["package-data"]["*"]
    parts = [p.name for p in folder.iterdir() if p.suffix not in (".py", ".md", "")]
    assert len(parts) > 5
    assert all(any(Path(name).match(pattern) for pattern in shipped) for name in parts)
    scripts = {Path(name).stem for name in parts if name.endswith(".js")}
    assert scripts == set(write._SCRIPTS)


def test_notebooks_show_a_frame(taped):
    shown = taped[0]._repr_html_()
    assert shown.startswith('<iframe srcdoc="')
    assert "allow-scripts" in shown


DRIVER = """
<script>
const opened = performance.now();
const rowsOf = kind => document.querySelectorAll(".row." + kind).length;
const report = { opened, shown: rowsOf("item"), folds: rowsOf("fold") };
const field = document.getElementById("search");
field.value = "needle"; field.dispatchEvent(new Event("input"));
report.found = rowsOf("item");
field.value = ""; field.dispatchEvent(new Event("input"));
document.getElementById("fold").click();
report.folded = rowsOf("item");
document.getElementById("unfold").click();
const scrolls = [];
for (let k = 0; k < 50; k++) {
  const start = performance.now();
  main.scrollTop = k * 4000; draw();
  scrolls.push(performance.now() - start);
}
report.scroll = scrolls.sort((a, b) => a - b)[5];  // a busy machine spoils many, not all
document.getElementById("largest").click();
report.detail = document.getElementById("detail").textContent.slice(0, 200);
for (const name of ["graph", "timeline", "compare"]) open(name);
const body = root.children.find(child => child.name.endsWith("body"));
report.closed = placed().boxes.length;
body.open = true;
report.boxes = placed().boxes.length;
openAround(15_000);
report.around = placed().boxes.some(box => box.op === 15_000);
document.documentElement.setAttribute("data-report", JSON.stringify(report));
</script></html>
"""


@pytest.mark.slow
def test_the_page_in_a_browser_with_twenty_thousand_ops(tmp_path):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("needs Chromium")
    x = tf.Variable(1.0)

    def needle(value):
        return tf.sin(value)

    def body(value):
        return tf.tanh(value) * 1.0001

    with tf.GradientTape() as tape:
        y = needle(x)
        for _ in range(10_000):
            y = body(y)
    page = tape.to_html(target=y).replace("</html>", DRIVER)
    path = tmp_path / "tape.html"
    path.write_text(page, encoding="utf-8")
    done = subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1400,900",
            "--dump-dom",
            path.as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    actual = re.search(r"data-report=\"(.*?)\"", done.stdout)
    report = json.loads(actual[1].replace("&quot;", '"'))
    assert 20 < report["shown"] < 80  # only what is in sight is in the page
    assert report["folds"] == 2
    assert report["found"] == 1
    assert report["folded"] == 0
    assert report["scroll"] < 50  # milliseconds
    assert report["closed"] == 2
    assert 2 < report["boxes"] <= 62  # of many ops in one group, those that follow are one box
    assert report["around"]
    assert report["opened"] < 2000
    assert report["detail"].startswith("#")
