import asyncio
import collections
import copy
import datetime
import decimal
import fractions
import io
import json
import math
import os
import pathlib
import threading
import warnings
from unittest import mock

import pytest

import split_honest as solution
from given import Point, Shape, Suit, WrongShape
from split_honest import Color, Date, Level, MyError


@pytest.mark.parametrize("value", [
    None, True, 0, -5, 2**70, -2**3000, 1.5, float("inf"), -0.0, 1 + 2j, "", "\u00e4\ud800\0", b"\0\xff", bytearray(b"x"), [1, [2]], (1, (2,)),
    {"a": 1, (1, 2): [3]}, {1, 2}, frozenset({1}), range(1, 9, 2), slice(1, None), ..., NotImplemented, collections.deque([1]),
    collections.OrderedDict(a=1, b=2), collections.Counter("aab"), fractions.Fraction(1, 3), decimal.Decimal("0.10"), datetime.date(2020, 1, 1),
    datetime.datetime(2020, 1, 1, 2, 3, 4, 5), datetime.time(1, 2), datetime.timedelta(1, 2, 3), pathlib.Path("/a/b"), int, ValueError,
    Point(1, 2), Suit.HEARTS, Point], ids=str)
def test_value(value):
    echoed = solution.echo(value)
    assert echoed is value or echoed == value
    assert type(echoed) is type(value)


def test_nan():
    assert math.isnan(solution.echo(float("nan")))


def test_attributes():
    assert solution.VERSION == "1.0" and solution.TABLE == {"a": [1, 2, (3, None)], 5: {1, 2}}
    with pytest.raises(AttributeError):
        solution.nothing
    with pytest.raises(TypeError):
        solution.helper(1)


def test_arguments_are_changed():
    numbers = [3, 1, 2]
    assert solution.sort(numbers) is None and numbers == [1, 2, 3]
    grid, table, some, queue = [[0], [1]], {}, set(), collections.deque([1])
    solution.change(grid, table, some, queue)
    assert grid[0][0] == 9 and table["new"][0] is grid and some == {4} and list(queue) == [0, 1]
    assert solution.echo(numbers) is numbers


def test_same_and_cyclic():
    rows, cycle = solution.rows(), solution.cycle()
    assert rows[0] is rows[1] and cycle[1] is cycle


def test_lists_of_the_solution_are_changed():
    cells = [[0, 0], [0, 0]]
    board = solution.Board(cells)
    cells[0][0] = 1
    assert board.count() == 1
    board.cells[1][0] = 2
    assert board.count() == 3
    board.row(1)[1] = 4
    board.cells.append([8])
    assert board.count() == 15
    solution.TABLE["b"] = [1]
    assert solution.TABLE["b"] == [1]
    assert solution.apply(lambda: board.row(0)[0]) == 1 and board.cells == [[1, 0], [2, 4], [8]]


def test_errors():
    with pytest.raises(ValueError, match="no such"):
        solution.fail("value", "no such date")
    with pytest.raises(KeyError) as key:
        solution.fail("key", "k")
    assert key.value.args == ("k",)
    with pytest.raises(FileNotFoundError) as missing:
        solution.open_missing()
    assert missing.value.errno == 2
    with pytest.raises(SystemExit):
        solution.fail("exit", 3)
    with pytest.raises(json.JSONDecodeError) as wrong:
        solution.read_json()
    assert wrong.value.pos == 1
    with pytest.raises(RecursionError):
        solution.deep(100000)


def test_own_errors():
    with pytest.raises(MyError) as own:
        solution.fail("own", "bad", 7)
    assert own.value.code == 7 and str(own.value) == "bad" and isinstance(own.value, ValueError)
    with pytest.raises(MyError):
        solution.fail("sub", "worse", 8)
    with pytest.raises(WrongShape, match="round"):
        solution.fail("shape", "round")


def test_objects():
    date = Date(2024, 2, 28)
    assert isinstance(date, Date) and date.year == 2024 and str(date) == "2024-2-28" and repr(date) == "Date(2024, 2, 28)" == f"{date!r}"
    assert date == Date(2024, 2, 28) and date != Date(2024, 2, 27) and Date(2024, 2, 27) < date and date > Date(2023, 2, 27)
    assert len(date) == 3 and date[1] == 2 and 28 in date and list(date) == [2024, 2, 28] and bool(date) and not Date(0, 1, 1)
    assert date + 1 == Date(2024, 2, 29) and Date(2024, 2, 29) - date == 1 and date("on ") == "on 2024-2-28"
    assert Date.parse("2020-1-2") == Date(2020, 1, 2) and Date.is_leap(4) and {date: 1}[Date(2024, 2, 28)] == 1 and Date.made > 0
    assert sorted([Date(3, 1, 1), Date(1, 1, 1)])[0].year == 1 and copy.deepcopy(date) == date and copy.copy(date) is not date
    assert solution.echo(date) is date and Date in [Date] and Date.__name__ == "Date"
    date.month = 5
    date.note, date[2], same = "x", 3, date
    date += 1
    assert date is same and date.month == 5 and date.day == 4 and date.note == "x" and not hasattr(date, "nothing")
    with pytest.raises(ValueError):
        date.month = 13
    del date.note
    assert not hasattr(date, "note") and "day" in dir(date)


def test_classes():
    birthday = solution.birthday()
    assert type(birthday) is solution.Birthday and isinstance(birthday, Date) and issubclass(solution.Birthday, Date)
    assert not isinstance(Date(1, 1, 1), solution.Birthday)
    with pytest.raises(TypeError):
        hash(solution.Plain())


def test_enumerations():
    assert Color.RED is Color.RED and Color.RED != Color.GREEN and Color.RED.value == 1 and Color(2) is Color.GREEN and Color["RED"] is Color.RED
    assert [color.name for color in Color] == ["RED", "GREEN"] and len(Color) == 2 and Color.RED in Color and isinstance(Color.RED, Color)
    assert Level.HIGH > Level.LOW and Level.HIGH == 2 and isinstance(Level.HIGH, int)


def test_classes_that_hold_values():
    pair = solution.Pair(1, 2)
    assert pair == (1, 2) and pair.x == 1 and isinstance(pair, tuple) and solution.Pair(1, 2) == pair
    assert solution.Item("a") == solution.Item("a", 3) and repr(solution.Item("a")) == "Item(name='a', price=3)"
    stack = solution.Stack([1])
    stack.push(2)
    assert stack == [1, 2] and len(stack) == 2 and stack[1] == 2 and 2 in stack


def test_values_of_libraries():
    assert solution.half() == (fractions.Fraction(1, 2), decimal.Decimal("1.1"), datetime.date(2024, 3, 1))
    assert solution.grouped(["a", "bc", "d"]) == {1: ["a", "d"], 2: ["bc"]}


def test_links():
    node = solution.Node(1, solution.Node(2))
    node.next.next = solution.Node(3)
    assert node.next.next.value == 3 and node.next.next.next is None


def test_functions():
    squares = solution.squares(3)
    assert next(squares) == 0 and list(squares) == [1, 4] and solution.adder(3)(4) == 7
    with pytest.raises(StopIteration):
        next(squares)


def test_functions_of_the_tests():
    seen = []
    assert solution.apply(lambda x, y=1: x + y, 4, y=6) == 10 and solution.apply(sorted, ["b", "A"], key=str.lower) == ["A", "b"]
    solution.apply(seen.append, 1)
    assert seen == [1] and solution.call_and_catch(lambda: 1 / 0) == "caught"
    function = mock.Mock(return_value=5)
    assert solution.apply(function, 3) == 5
    function.assert_called_once_with(3)
    assert solution.apply(lambda: solution.apply(lambda: solution.helper())) == 1


def test_error_of_the_tests():
    class Own(Exception):
        pass

    def fail():
        raise error

    error = Own("x")
    with pytest.raises(Own) as seen:
        solution.apply(fail)
    assert seen.value is error


class Fake:
    name = "x"


def test_objects_of_the_tests():
    fake = Fake()
    assert solution.shout(fake) == "X" and fake.value == 5 and solution.echo(fake) is fake
    assert solution.collect(iter("ab")) == ["a", "b"] and solution.collect(n for n in (1, 2)) == [1, 2]
    assert solution.collect(io.StringIO("a\nb")) == ["a\n", "b"]


def test_classes_of_include_files():
    point = Point(1, 2)
    assert solution.mirror(point) == Point(2, -1) and point == Point(-1, 2)
    assert solution.suit(Suit.SPADES) is Suit.HEARTS
    square = solution.Square(3)
    assert square.area() == 9 and isinstance(square, Shape)


def test_with(capsys):
    with solution.Managed(), pytest.raises(ValueError):
        raise ValueError
    with solution.Managed():
        raise KeyError
    assert capsys.readouterr().out == "enter\nexit None\nenter\nexit KeyError\n"


def test_files(tmp_path):
    for number in range(20):
        pathlib.Path("a.txt").write_text(f"{number:03}")
        assert solution.read("a.txt") == f"{number:03}"
        solution.write("a.txt", f"{number:03}!")
        assert pathlib.Path("a.txt").read_text() == f"{number:03}!"
    solution.write(tmp_path / "b", "text")
    assert (tmp_path / "b").read_text() == "text"
    os.unlink("a.txt")
    with pytest.raises(FileNotFoundError):
        solution.read("a.txt")


def test_surroundings(monkeypatch, tmp_path):
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    monkeypatch.setenv("WHO", "me")
    with mock.patch("sys.argv", ["program", "-x"]):
        assert solution.around() == ("below", "me", ["-x"])
    solution.write("here", "text")
    assert (tmp_path / "below" / "here").read_text() == "text"
    monkeypatch.undo()
    assert solution.around() == ("work", None, [])


def test_many_values():
    numbers = [number / 7 for number in range(500_000)]
    assert solution.echo(numbers) == numbers


def test_warning_as_an_error():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DeprecationWarning):
            solution.warn()


def test_input(monkeypatch, capsys):
    monkeypatch.setattr("builtins.input", lambda prompt: "Ann")
    solution.greet()
    assert capsys.readouterr().out == "Hi Ann\n"
    monkeypatch.undo()
    monkeypatch.setattr("sys.stdin", io.StringIO("Bob\nx\ny\n"))
    solution.greet()
    assert capsys.readouterr().out == "name? Hi Bob\n" and solution.count_lines() == 2


def test_output(capfd):
    solution.noise()
    said = capfd.readouterr()
    assert said.out == "out\nchild\n" and said.err == "err\n"


def test_patch(monkeypatch):
    with mock.patch("split_honest.random.randint", return_value=4):
        assert solution.dice() == 4
    with mock.patch("split_honest.helper", return_value=41):
        assert solution.use_helper() == 42
    with mock.patch.object(solution, "helper", lambda: 6):
        assert solution.use_helper() == 7
    monkeypatch.setattr(solution, "helper", lambda: 9)
    assert solution.use_helper() == 10
    monkeypatch.undo()
    assert solution.use_helper() == 2


def test_warning():
    with pytest.warns(DeprecationWarning, match="old"):
        solution.warn()


def test_processes():
    assert solution.fork() == 1 and solution.squares_by_processes([1, 2, 3]) == [1, 4, 9]


def test_nested_folders():
    assert solution.nest() == 1 and solution.helper() == 1


def test_coroutines():
    async def both():
        return await asyncio.gather(solution.later(1), solution.later(2)), await solution.later(3)

    assert asyncio.run(solution.later(1)) == 2 and asyncio.run(both()) == ([2, 3], 4)


def test_threads():
    seen = []
    threads = [threading.Thread(target=lambda n=n: seen.append(solution.echo(n))) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(8))


def test_packages():
    import shop
    import shop.queue.first
    from shop.calendar import days
    from shop import queue as own
    assert days == 29 and shop.queue.first.FIRST == 1 and own is shop.queue and shop.days == 29
