"""The programs of docs/distribute.md run, on eight devices."""

from __future__ import annotations

from tests.docs.blocks import ROOT, Page


def test_the_programs_run(tmp_path):
    page = Page(ROOT / "docs" / "distribute.md", tmp_path)
    page.run()
    names = page.names
    assert names["strategy"].num_replicas_in_sync == 8
    assert float(names["loss"]) >= 0
    assert len(names["first"]._data.addressable_shards) == 8
    kernel = names["model"].layers[0].kernel
    assert {s.data.shape for s in kernel._value._data.addressable_shards} == {(16, 16)}
