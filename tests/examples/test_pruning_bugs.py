"""How ``benchmarks/pruning.py`` measures the planted bugs in System F: one run serves all of them."""

from __future__ import annotations

from pruning_bugs import Places, middle_of, times_to_failure
from pruning_chart import bar_chart, text_chart
from pruning_naive import terms_up_to_size
from systemf_language import FURTHER, QUICK, SLOW, reduces_alike, terms, well_typed

from everycase.explore import Narrow


def test_the_naive_filter_goes_through_the_same_terms():
    naive = list(terms_up_to_size(5))
    assert len(naive) == len(set(naive))
    assert set(naive) == set(terms.up_to_size(5))


def test_a_bug_shows_only_in_terms_whose_test_comes_to_its_place():
    places = Places()
    shown = set()
    for e in filter(well_typed, terms.up_to_size(7)):
        places.seen.clear()
        assert reduces_alike(e, places)
        showing = {bug for bug in QUICK + SLOW + FURTHER if not reduces_alike(e, bug)}
        assert showing <= places.seen
        shown |= showing
    assert len(shown) == 9


def test_the_searches_find_the_bugs_that_show_in_small_terms():
    chosen = list(QUICK[:3])
    for explorer in (Narrow(max_size=6), Narrow(max_size=6, order="depth")):
        times = times_to_failure(chosen, explorer, seed=0, limit=60)
        assert all(seconds is not None for seconds in times.values())
    # At size 5 there is no witness of the third.
    times = times_to_failure(chosen, Narrow(max_size=5), seed=0, limit=60)
    assert [seconds is None for seconds in times.values()] == [False, False, True]


def test_the_median_counts_what_was_not_found_as_late():
    assert middle_of([1.0, None, 3.0], 60) == (3.0, 2)
    assert middle_of([1.0, None], 60) == (None, 1)
    assert middle_of([None], 60) == (None, 0)


def test_the_charts_show_every_bug_and_what_was_cut_off():
    bars = {"depth": {"A": None, "B": 0.001}, "default": {"A": 6.0, "B": 60.0}}
    text = text_chart(bars, 60)
    assert text.count("> 60") == 1
    assert [len(line.split("#")) - 1 for line in text.splitlines()] == [40, 29, 1, 40]
    drawn = bar_chart(bars, 60)
    assert drawn.count("&gt; 60") == 1
    assert drawn.count('fill="none"') == 1
