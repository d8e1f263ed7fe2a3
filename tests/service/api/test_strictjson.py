"""Levels of a body are counted as they are, at no more than its length costs."""

import time
import timeit

from service.api.http import strictjson


def test_a_string_without_an_end_costs_no_more_than_its_length() -> None:
    def cost(quotes: int) -> float:
        raw = b"[" * 17 + b'"\\' * quotes
        runs = timeit.Timer(lambda: strictjson._levels(raw), timer=time.thread_time)
        return min(runs.repeat(number=20, repeat=9))

    assert cost(8000) < 40 * cost(1000)


def test_levels_are_counted_exactly_where_it_matters() -> None:
    flat = b"[" + b",".join([b"{}"] * 40) + b"]"

    assert strictjson._levels(flat) == 2
    assert strictjson._levels(b'{"a":' * 17 + b"1" + b"}" * 17) == 17
