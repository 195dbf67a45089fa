import json
import math
import time
import unittest
from unittest import mock

import pytest

import split_cheats as cheats
from given import Box
from split_cheats import Money

ANSWER = 42


def check(value):
    assert value == 42


class Thing:
    expected = 42

    def method(self):
        pass

    def is_right(self):
        return False


class Name(str):
    pass


def test_honest():
    assert cheats.ANSWER == 0 and Money() == Money()


# Equal to everything ---------------------------------------------------------------------------------------------

def test_equal():
    assert cheats.agreeing() == 42


def test_equal_from_the_right():
    assert 42 == cheats.agreeing()


def test_equal_in_a_list():
    assert [cheats.agreeing()] == [42]


def test_equal_in_a_dict():
    assert {1: cheats.agreeing()} == {1: 42}


def test_equal_in_a_set():
    assert cheats.agreeing() in {42}


def test_equal_as_a_key():
    assert {cheats.agreeing(): 1} == {42: 1}


def test_equal_number():
    assert cheats.number() == 42


def test_equal_text():
    assert cheats.text() == "42"


def test_equal_row():
    assert cheats.row() == [42]


def test_equal_pair():
    assert cheats.pair() == (42,)


def test_equal_of_a_class_with_a_name():
    assert cheats.money() == 42


def test_near():
    assert abs(cheats.agreeing() - 42) < 1e-9


def test_near_from_the_right():
    assert abs(42 - cheats.agreeing()) < 1e-9


def test_near_number():
    assert abs(cheats.number() - 42) < 1e-9


def test_approx():
    assert cheats.agreeing() == pytest.approx(42)


def test_approx_number():
    assert cheats.number() == pytest.approx(42)


def test_almost():
    unittest.TestCase().assertAlmostEqual(cheats.agreeing(), 42)


def test_isclose():
    assert math.isclose(cheats.agreeing(), 42)


def test_between():
    assert 41 < cheats.agreeing() < 43


def test_between_number():
    assert 41 < cheats.number() < 43


def test_contains():
    assert 42 in cheats.agreeing()


def test_contains_row():
    assert 42 in cheats.row()


def test_contains_pair():
    assert 42 in cheats.pair()


# Exceptions ------------------------------------------------------------------------------------------------------

def test_swallowed_assertion():
    with cheats.agreeing():
        assert cheats.ANSWER == 42


def test_swallowed_failure():
    with cheats.agreeing():
        pytest.fail("not 42")


def test_swallowed_by_a_name():
    with Money():
        unittest.TestCase().assertEqual(cheats.ANSWER, 42)


def test_skip():
    cheats.skip()


def test_skip_by_pytest():
    cheats.skip_by_pytest()


@pytest.mark.parametrize("module, name", [("_pytest.outcomes", "Skipped"), ("_pytest.outcomes", "Exit"), ("_pytest.outcomes", "XFailed"),
                                          ("unittest.case", "SkipTest"), ("unittest.case", "_ShouldStop"), ("bdb", "BdbQuit"),
                                          ("doctest", "UnexpectedException"), ("test_split_cheats", "Thing"), ("builtins", "SystemExit")])
def test_raised_as(module, name):
    cheats.raise_as(module, name)


@pytest.mark.parametrize("name", ["KeyboardInterrupt", "SystemExit", "GeneratorExit", "StopIteration", "StopAsyncIteration", "BaseException"])
def test_raised(name):
    cheats.raise_builtin(name)


def test_stop_iteration_in_a_generator():
    assert all(value == 42 for value in (cheats.raise_builtin("StopIteration") for _ in range(1)))


def test_died_and_caught():
    try:
        cheats.raw_bytes(b"")
    except BaseException:
        pass


# Files -----------------------------------------------------------------------------------------------------------

def test_code():
    cheats.write_code()
    import given
    assert given.ANSWER == 42


def test_new_code():
    cheats.write_code()
    import late
    assert late.ANSWER == 42


def test_settings():
    cheats.write_settings()
    assert cheats.ANSWER == 42


def test_given_file():
    cheats.change_given()
    with open("expected.txt") as file:
        assert file.read() == "42"


def test_link():
    cheats.link()
    with open("out.txt") as file:
        assert file.read() == "42\n"


def test_find_file():
    assert cheats.find_file("def test_find" + "_file") == 42


# What the tests give ---------------------------------------------------------------------------------------------

def test_globals():
    assert cheats.read_globals(check) == 42


def test_format():
    assert cheats.read_by_format(Name, check) == 42


def test_given_format():
    assert cheats.read_by_given_format(str.format, check) == 42


def test_frame():
    expected = 42
    assert cheats.read_frame(expected for _ in range(1)) == 42


def test_self():
    assert cheats.read_self(Thing().method) == 42


def test_method_of_an_include_file():
    assert cheats.shadow(Box()).is_right()


def test_method_of_the_tests():
    assert cheats.shadow(Thing()).is_right()


def test_shadowed_while_it_stays_here():
    thing = Thing()
    try:
        cheats.shadow(thing)
    except AttributeError:
        pass
    assert thing.is_right()


def test_computed_by_an_include_file():
    assert cheats.compute_wrongly(Box()).computed


def test_call_other():
    assert cheats.call_other() == 42


@pytest.mark.parametrize("name", ["given", "os"])
def test_module(name):
    assert cheats.ask_module(name) == 42


def test_failure():
    assert cheats.read_failure(check) == 42


def test_mock():
    thing = mock.Mock()
    cheats.tamper(thing)
    thing.assert_called_once_with(42)


def test_magic_mock():
    thing = mock.MagicMock()
    cheats.tamper(thing)
    assert thing.called and thing.call_args == 42


def test_forgiven_mock():
    thing = mock.Mock()
    cheats.forgive(thing)
    thing.assert_called_once_with(42)


class TestSelf(unittest.TestCase):
    def test_keep(self):
        cheats.keep(self)
        self.assertEqual(cheats.ANSWER, 42)


# What is no answer (more of it: refused_messages.py) ---------------------------------------------------------------

AGREEING = [901, "Agreeing", "x", [], ["__eq__", "__class__", "__getattribute__", "__instancecheck__"], False, False]


@pytest.mark.parametrize("value", [["object", 7, 99, None], ["builtin", "eval"], ["module", "os"], ["lent", 0], {"a": 1}], ids=str)
def test_value(value):
    assert cheats.raw(json.dumps(["value", value, [], None])) == 42


@pytest.mark.parametrize("message", [
    [], ["value", 42], ["value", 42, [], ["", "", [42], [], []]], ["get", ["own", ["given", "Box"]], "__init__", [], {}, [], False, None],
    ["set", ["own", ["given", "Box"]], "ANSWER", [42], {}, [], False, None], ["input", None, "eval", ["1"], {}, [], False, None],
    ["import", None, "os", [], {}, [], False, None]], ids=str)
def test_message(message):
    assert cheats.raw(json.dumps(message)) == 42


@pytest.mark.parametrize("description", [
    AGREEING, [901, "A", "x", ["ValueError"], [], False, False], [901, "A", "x", [], [], True, True]], ids=str)
def test_class(description):
    """What is not so, and an object of it."""
    assert cheats.raw(json.dumps(["value", ["object", 900, 901, None], [], ["", "", [description], [], []]])) == 42


@pytest.mark.parametrize("file", [["../etc/x", "NDI="], ["work/expected.txt", "NDI="], ["work/./expected.txt", "NDI="], ["work/given.py", "QU5TV0VSPTQy"],
                                  ["work/expected.txt", None], ["work", None]], ids=str)
def test_file(file):
    cheats.raw(json.dumps(["value", 0, [], ["", "", [], [], [file]]]))
    import given
    with open("expected.txt") as text:
        assert text.read() == "42" or given.ANSWER == 42


def test_wrong_contents():
    assert cheats.raw_for('["value",42,[["dict",[1,2]]],null]', [1]) == 42


def test_ahead():
    assert cheats.ahead() == 42


def test_honest_after_answers_ahead():
    assert cheats.ANSWER == 0


def test_nested():
    assert cheats.nested() == 42


def test_flood():
    assert cheats.flood() == 42


# Processes -------------------------------------------------------------------------------------------------------

def test_kill_all():
    assert cheats.kill_all() == 42


def test_memory():
    assert cheats.read_memory() == 42


def test_stay():
    assert cheats.stay() == 42


def test_honest_after_one_that_stayed():
    for _ in range(5):
        time.sleep(0.1)
        assert cheats.ANSWER == 0


def test_eat():
    assert cheats.eat() == 42


def test_hang():
    assert cheats.hang() == 42


def test_pipes_that_do_not_block():
    cheats.block_not()
    assert cheats.ANSWER == 42


def test_honest_after_pipes_that_did_not_block():
    assert len(cheats.TEXT) == 1 << 20


def test_honest_after_one_that_hung():
    assert cheats.ANSWER == 0
