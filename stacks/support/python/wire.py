"""Values as tests and solution tell them to each other when they are two processes: as JSON with tags.

Nothing that comes is executed: a value is built from the exact types below, or it is no value (Misunderstood). What is none of them goes by
number and stays where it is: pack_other and unpack_other, which the two sides do differently (tests_side.py, solution_side.py).

Lists, dicts, sets and their like are not in a value: it names them by number, and their contents come beside it. So one that is there twice
or in itself stays one, and the contents of an argument, sent back with the answer, are what the callee made of it.
"""
import collections
import math
import sys

_SMALL = 1 << 63


class Misunderstood(Exception):
    """What came is no message."""


class Values:
    """The values of one question and its answer; `side` packs and unpacks what stays where it is."""

    def __init__(self, side):
        self._side, self.containers, self._numbers = side, [], {}

    def pack(self, value):
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return value if -_SMALL < value < _SMALL else ["int", f"{value:x}"]
        if kind is float:
            return value if math.isfinite(value) else ["float", str(value)]
        if self._container(kind):
            return ["&", self._number(value)]
        for tag, (known, parts_of, _) in _TAGS.items():
            if kind is known or type(known) is tuple and _is_library(kind, known) and getattr(value, "tzinfo", None) is None:
                return [tag, *map(self.pack, parts_of(value))]
        return self._side.pack_other(value, self)

    def unpack(self, text):
        kind = type(text)
        if text is None or kind in (bool, str, int, float):
            return text
        if kind is not list or not text or type(text[0]) is not str:
            raise Misunderstood("no value")
        tag, parts = text[0], text[1:]
        if tag == "&" and len(parts) == 1 and type(parts[0]) is int and 0 <= parts[0] < len(self.containers):
            return self.containers[parts[0]]
        if tag == "int" and len(parts) == 1 and type(parts[0]) is str:
            return int(parts[0], 16)
        if tag not in _TAGS:
            return self._side.unpack_other(tag, parts, self)
        known, _, make = _TAGS[tag]
        return make(_class_of(known), [self.unpack(part) for part in parts])

    def _container(self, kind):
        return _CONTAINERS.get(kind) or self._side.own.container(kind)

    def _new(self, tag):
        """An empty one."""
        if type(tag) is str and tag in _KIND_OF:
            return _KIND_OF[tag]()
        if type(tag) is list and len(tag) == 3 and tag[0] == "own":
            kind = self._side.own.find(tag[1:])
            if self._container(kind):
                return object.__new__(kind)
        raise Misunderstood("no container")

    def _number(self, container):
        number = self._numbers.get(id(container))
        if number is None:
            number = self._numbers[id(container)] = len(self.containers)
            self.containers.append(container)
        return number

    def contents(self):
        """Of all, those among them that are found on the way."""
        contents = []
        for container in self.containers:
            tag, parts_of, _ = self._container(type(container))
            contents.append([tag, [self.pack(part) for part in parts_of(container)]])
        return contents

    def receive(self, contents):
        """Those that are not here yet are made; those that are here become what is said of them, unless it is None."""
        if type(contents) is not list or len(contents) < len(self.containers):
            raise Misunderstood("no contents")
        known = len(self.containers)
        for content in contents[known:]:
            if type(content) is not list or len(content) != 2 or type(content[1]) is not list:
                raise Misunderstood("no container")
            self._number(self._new(content[0]))
        for container, content in zip(self.containers, contents):
            if content is not None:
                tag, _, fill = self._container(type(container))
                if type(content) is not list or len(content) != 2 or content[0] != tag or type(content[1]) is not list:
                    raise Misunderstood("another container")
                fill(container, [self.unpack(part) for part in content[1]])


def _is_library(kind, known):
    """Of a library that is loaded when somebody has a value of it."""
    return kind.__module__ == known[0] and kind is getattr(sys.modules.get(known[0]), known[1], None)


def _class_of(known):
    return getattr(__import__(known[0]), known[1]) if type(known) is tuple else known


def _only(parts, *kinds):
    if len(parts) != len(kinds) or any(type(part) is not kind for part, kind in zip(parts, kinds)):
        raise Misunderstood("another value")
    return parts


def _of(*kinds):
    return lambda known, parts: known(*_only(parts, *kinds))


def _fields(*names):
    return lambda value: [getattr(value, name) for name in names]


def _slice(known, parts):
    if len(parts) != 3:
        raise Misunderstood("no slice")
    return known(*parts)


_DAY, _TIME = ("year", "month", "day"), ("hour", "minute", "second", "microsecond")
# Values that do not change: the tag, the class (of a library's its module and name), its parts, and how it is made of them.
_TAGS = {
    "float": (float, lambda value: [str(value)], _of(str)),
    "tuple": (tuple, list, lambda known, parts: known(parts)),
    "bytes": (bytes, lambda value: [value.hex()], lambda known, parts: known.fromhex(*_only(parts, str))),
    "frozenset": (frozenset, list, lambda known, parts: known(parts)),
    "complex": (complex, _fields("real", "imag"), _of(float, float)),
    "range": (range, _fields("start", "stop", "step"), _of(int, int, int)),
    "slice": (slice, _fields("start", "stop", "step"), _slice),
    "...": (type(...), lambda value: [], lambda known, parts: ...),
    "NotImplemented": (type(NotImplemented), lambda value: [], lambda known, parts: NotImplemented),
    "Decimal": (("decimal", "Decimal"), lambda value: [str(value)], _of(str)),
    "Fraction": (("fractions", "Fraction"), _fields("numerator", "denominator"), _of(int, int)),
    "Path": (("pathlib", "PosixPath"), lambda value: [str(value)], _of(str)),
    "date": (("datetime", "date"), _fields(*_DAY), _of(int, int, int)),
    "datetime": (("datetime", "datetime"), _fields(*_DAY, *_TIME), _of(*[int] * 7)),
    "time": (("datetime", "time"), _fields(*_TIME), _of(*[int] * 4)),
    "timedelta": (("datetime", "timedelta"), _fields("days", "seconds", "microseconds"), _of(int, int, int)),
}


def _fill_list(container, parts):
    container[:] = parts


def _fill_deque(container, parts):
    container.clear()
    container.extend(parts)


def _pairs(container):
    return [part for pair in container.items() for part in pair]


def _fill_dict(container, parts):
    if len(parts) % 2:
        raise Misunderstood("no pairs")
    container.clear()
    for key, value in zip(parts[::2], parts[1::2]):
        container[key] = value


def _fill_defaultdict(container, parts):
    container.default_factory = parts[0]
    _fill_dict(container, parts[1:])


def _fill_set(container, parts):
    container.clear()
    container.update(parts)


def _fill_bytes(container, parts):
    container[:] = bytes.fromhex(*_only(parts, str))


# Values that change: the tag, the parts, and how it becomes what it is.
_CONTAINERS = {
    list: ("list", list, _fill_list),
    dict: ("dict", _pairs, _fill_dict),
    set: ("set", list, _fill_set),
    bytearray: ("bytearray", lambda value: [value.hex()], _fill_bytes),
    collections.deque: ("deque", list, _fill_deque),
    collections.OrderedDict: ("OrderedDict", _pairs, _fill_dict),
    collections.Counter: ("Counter", _pairs, _fill_dict),
    collections.defaultdict: ("defaultdict", lambda value: [value.default_factory, *_pairs(value)], _fill_defaultdict),
}
_KIND_OF = {tag: kind for kind, (tag, _, _) in _CONTAINERS.items()}
