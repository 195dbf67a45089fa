import pytest

from words import longest


@pytest.mark.parametrize("text, word", [("a bc def", "def"), ("one two", "one"), ("alone", "alone")])
def test_longest(text, word):
    assert longest(text) == word


def test_no_words():
    assert longest("  ") is None
