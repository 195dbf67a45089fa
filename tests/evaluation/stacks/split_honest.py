# What solutions are made of, for tests that have a process of their own (test_split_honest.py).
import asyncio
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import json
import multiprocessing
import os
import random
import sys
import warnings

from given import Point, Shape, Suit, WrongShape

VERSION = "1.0"
TABLE = {"a": [1, 2, (3, None)], 5: {1, 2}}


def echo(value):
    return value


def sort(numbers):
    numbers.sort()


def change(grid, table, numbers, queue):
    grid[0][0] = 9
    table["new"] = [grid]
    numbers.add(4)
    queue.appendleft(0)


def rows():
    row = [0]
    return [row, row]


def cycle():
    numbers = [1]
    numbers.append(numbers)
    return numbers


def fail(kind, *args):
    raise {"value": ValueError, "key": KeyError, "exit": SystemExit, "own": MyError, "sub": SubError, "shape": WrongShape}[kind](*args)


def open_missing():
    open("/nonexistent/file")


def read_json():
    json.loads("{")


class MyError(ValueError):
    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class SubError(MyError):
    pass


class Date:
    made = 0

    def __init__(self, year, month, day):
        self.year, self._month, self.day = year, month, day
        Date.made += 1

    def __eq__(self, other):
        return isinstance(other, Date) and tuple(self) == tuple(other)

    def __hash__(self):
        return hash(tuple(self))

    def __lt__(self, other):
        return tuple(self) < tuple(other)

    def __add__(self, days):
        return Date(self.year, self._month, self.day + days)

    def __sub__(self, other):
        return self.day - other.day

    def __iadd__(self, days):
        self.day += days
        return self

    def __iter__(self):
        return iter((self.year, self._month, self.day))

    def __str__(self):
        return f"{self.year}-{self._month}-{self.day}"

    def __repr__(self):
        return f"Date({self.year}, {self._month}, {self.day})"

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return tuple(self)[index]

    def __setitem__(self, index, value):
        self.day = value

    def __contains__(self, value):
        return value in tuple(self)

    def __bool__(self):
        return self.year != 0

    def __call__(self, text):
        return text + str(self)

    @classmethod
    def parse(cls, text):
        return cls(*map(int, text.split("-")))

    @staticmethod
    def is_leap(year):
        return year % 4 == 0

    @property
    def month(self):
        return self._month

    @month.setter
    def month(self, month):
        if not 1 <= month <= 12:
            raise ValueError("month")
        self._month = month


class Birthday(Date):
    pass


def birthday():
    return Birthday(2000, 1, 1)


class Plain:
    def __eq__(self, other):
        return True


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


Pair = collections.namedtuple("Pair", "x y")


@dataclasses.dataclass
class Item:
    name: str
    price: int = 3


class Board:
    def __init__(self, cells):
        self.cells = cells

    def row(self, index):
        return self.cells[index]

    def count(self):
        return sum(map(sum, self.cells))


class Stack(list):
    def push(self, value):
        self.append(value)


class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next


class Managed:
    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, kind, error, trace):
        print("exit", kind and kind.__name__)
        return kind is KeyError


def squares(count):
    for number in range(count):
        yield number * number


def adder(number):
    return lambda other: number + other


def apply(function, *args, **more):
    return function(*args, **more)


def call_and_catch(function):
    try:
        return function()
    except ZeroDivisionError:
        return "caught"


def collect(things):
    return [thing for thing in things]


def shout(thing):
    thing.value = 5
    return thing.name.upper()


def half():
    return fractions.Fraction(1, 2), decimal.Decimal("1.10"), datetime.date(2024, 2, 29) + datetime.timedelta(days=1)


def grouped(words):
    groups = collections.defaultdict(list)
    for word in words:
        groups[len(word)].append(word)
    return groups


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def read(path):
    with open(path) as file:
        return file.read()


def around():
    return os.path.basename(os.getcwd()), os.environ.get("WHO"), sys.argv[1:]


def greet():
    name = input("name? ")
    print("Hi", name)


def count_lines():
    return len(sys.stdin.read().splitlines())


def noise():
    print("out")
    print("err", file=sys.stderr)
    sys.stdout.flush()
    os.system("echo child")


def dice():
    return random.randint(1, 6)


def helper():
    return 1


def use_helper():
    return helper() + 1


def warn():
    warnings.warn("old", DeprecationWarning)


def fork():
    os.fork()
    return 1


def squares_by_processes(numbers):
    with multiprocessing.Pool(2) as pool:
        return pool.map(square, numbers)


def square(number):
    return number * number


def nest():
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")
    return 1


def mirror(point):
    point.x = -point.x
    return Point(point.y, point.x)


def suit(value):
    return Suit.HEARTS if value is Suit.SPADES else Suit.SPADES


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side ** 2


async def later(value):
    await asyncio.sleep(0)
    return value + 1


def deep(levels):
    return deep(levels - 1) if levels else 0
