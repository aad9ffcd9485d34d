"""The bounded table that forgets first what was not used for longest."""

from gradtape.core.recent import Recent


def test_the_least_recently_used_entry_goes():
    kept = Recent(2)
    kept.keep("a", "A")
    kept.keep("b", "B")
    assert kept.find("a") == "A"
    kept.keep("c", "C")
    assert sorted(kept) == ["a", "c"]
    assert kept.find("b") is None


def test_many_light_entries_may_stay():
    kept = Recent(2, light=10, weight=len)
    for letter in "abcdefgh":
        kept.keep(letter, letter.upper())
    assert len(kept) == 8
    kept.keep("heavy", "x" * 10)
    assert sorted(kept) == ["h", "heavy"]
