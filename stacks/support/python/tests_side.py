"""The tests' end of the talk with the solution's process. It takes nothing on trust: what is no answer, and a solution that has ended, end
the case, whatever the tests make of the exception."""
import os
import select
import sys
import threading
import warnings

from carried_files import CarriedFiles
from lent import Lent
from own_classes import OwnClasses
from proxies import ERRORS, Kind, Module, is_of_solution, make_class
from surroundings import Surroundings
from talk import Side, changed
from wire import Misunderstood

_MOST_LINES = 1 << 24
_MOST_SHARED = 10_000  # of values in lists and their like


class SolutionEnded(BaseException):
    """The solution's process is not there any more. No test expects it, so it is no Exception."""


class TestsSide(Side):
    """`modules`, `tests` and `includes`: names of the modules of solution, tests and include files; `refused`: which files are not taken from the
    solution; `kept`: which names no star brings into a test; `used`: which names the tests write."""

    def __init__(self, fds, modules, tests, includes, refused, kept, used):
        super().__init__(fds["answers"], fds["calls"], OwnClasses(includes))
        self._notice, self._modules, self._kept, self._used = fds["notices"], modules, kept, used
        self._lent, self._classes, self._objects = Lent(tests, includes), {}, {}
        self._lock = threading.RLock()
        self._files, self._surroundings, self._warned = CarriedFiles(refused), Surroundings(), []
        self._shared = None
        self.ended = ""  # or the sentence why the case is over
        self._depth = 0

    def module(self, name):
        module = Module(name)
        for key, value in (("_tally_side", self), ("_tally_kept", self._kept), ("_tally_used", self._used)):
            module.__dict__[key] = value
        return module

    def load(self, module, again):
        self.ask("import", None, module.__name__, [True] if again else [])

    def executed(self):
        """What coverage.py has seen, by files: pairs of lines, and nothing else."""
        arcs = {} if self.ended or self._depth else self.ask("executed", None)
        files = arcs.items() if type(arcs) is dict else ()
        return {path: list(filter(_is_arc, some)) for path, some in files if type(path) is str and type(some) is list}

    def end(self):
        """The case is over: the solution need not be ended by force."""
        if not self.ended and not self._depth:
            self._send(["end"])

    # Nothing is taken on trust -----------------------------------------------------------------------------------

    def ask(self, *args):
        if self.ended:
            raise SolutionEnded(self.ended)
        with self._lock:
            self._depth += 1
            try:
                value = super().ask(*args)
            finally:
                self._depth -= 1
        if self._warned:
            self._warn()
        return value

    def understand(self, read, message, values):
        try:
            return read(message, values)
        except Exception as error:
            self._end(f"the solution's process said what is no answer ({type(error).__name__}: {error})"[:300])

    def take(self):
        try:
            return super().take()
        except (Misunderstood, ValueError, RecursionError) as error:
            self._end(f"the solution's process said what is no answer ({type(error).__name__}: {error})"[:300])
        except BaseException:  # of a handler of a signal: an answer would come to the wrong question
            self.ended = self.ended or "the tests broke off before the solution answered"
            raise

    def read(self, size):
        data = bytearray()
        while len(data) < size:
            self._wait(self._in, select.POLLIN)
            data += os.read(self._in, min(size - len(data), 1 << 20))
        return bytes(data)

    def write(self, data):
        while data:
            self._wait(self._out, select.POLLOUT)
            data = data[os.write(self._out, data[:select.PIPE_BUF]):]

    def _wait(self, fd, event):
        """What has been said is heard before its speaker's end is."""
        poll = select.poll()
        poll.register(fd, event)
        poll.register(self._notice, select.POLLIN)
        if fd not in [ready for ready, _ in poll.poll()]:
            self._end(os.read(self._notice, 4096).decode("utf-8", "replace").strip())

    def _end(self, why):
        self.ended = why
        raise SolutionEnded(why)

    # Lists and their like of the last answer: what the tests do with them until they ask again, they do with the solution's -------------

    def answered(self, values):
        if self._depth == 1:
            self._shared = (values, values.contents()) if 0 < sum(map(_length, values.containers)) <= _MOST_SHARED else None

    def changes(self):
        if self._depth != 1:
            return False
        shared, self._shared = self._shared, None
        if shared is None:
            return None
        values, before = shared
        try:
            now = changed(values.contents(), before)
        except Exception:  # something in them that cannot be given to the solution
            return None
        return now if any(now) else None

    # Values ------------------------------------------------------------------------------------------------------

    def pack_other(self, value, values):
        kind = type(value)
        if isinstance(kind, Kind):
            return ["object", value._tally_number]
        if isinstance(value, Kind):
            return ["class", value._tally_number]
        if kind is Module:
            return ["module", value.__name__]
        if kind in ERRORS.values() or isinstance(value, BaseException):
            # What an assertion of the tests says is for their eyes.
            args = [] if isinstance(value, AssertionError) else [values.pack(arg) for arg in value.args]
            return ["error", self.own.name_of(kind) or kind.__name__, args, self._lent.number(value)]
        if isinstance(value, type) and (name := self.own.name_of(value)) is not None:
            return ["own", name]
        return self.own.member(value) or self._lent.pack(value)

    def unpack_other(self, tag, parts, values):
        if tag == "object":
            return self._object(*parts, values)
        if tag == "class":
            return self._classes[parts[0]]
        if tag == "builtin":
            return _BUILTINS[parts[0]]
        if tag == "module":
            return self._module(*parts)
        if tag == "error":
            return self._error(*parts, values)
        if tag == "own":
            return self.own.find(*parts)
        if tag == "member":
            return self.own.find(parts[0])[parts[1]]
        if tag == "lent":
            return self._lent.thing(*parts)
        raise ValueError("no value")

    def _object(self, number, kind, held, values):
        if number not in self._objects:
            kind = self._classes[kind]
            base = next((base for base in kind.__mro__ if base in _HELD), None)
            held = values.unpack(held)
            if type(number) is not int or (base or type(None)) is not type(held) or issubclass(kind, BaseException):
                raise ValueError("no object")
            thing = self._objects[number] = object.__new__(kind) if base is None else base.__new__(kind, held)
            object.__setattr__(thing, "_tally_number", number)
        return self._objects[number]

    def _module(self, name):
        if name in self._modules:
            __import__(name)
            return sys.modules[name]
        return self._lent.module(name)

    def _error(self, kind, args, text, number, attributes, frames, values):
        if number in self._objects:
            return self._objects[number]
        kind = ERRORS[kind] if type(kind) is str else self.own.find(kind) if type(kind) is list else self._classes[kind]
        args = [values.unpack(arg) for arg in args]
        if type(number) is not int or type(text) is not str or not issubclass(kind, BaseException):
            raise ValueError("no error")
        try:
            error = kind.__new__(kind, *args) if isinstance(kind, Kind) or kind.__module__ != "builtins" else kind(*args)
        except TypeError:
            error = kind.__new__(kind)
        error.args = tuple(args)
        if isinstance(kind, Kind):
            error._tally_number, error._tally_text = number, text
        else:
            plain = {name: value for name, value in attributes.items() if type(value) in (int, str, bool) and not name.startswith("_")}
            error.__dict__.update(plain)
        error._tally_frames = [(str(path), int(line), str(function)) for path, line, function in frames]
        self._objects[number] = error
        return error

    # What the solution asks --------------------------------------------------------------------------------------

    def perform(self, op, target, name, args, kwargs):
        if op == "input":
            return self._input(name, *args)
        return self._lent.perform(op, target, name, args, kwargs)

    @staticmethod
    def _input(name, *args):
        if name == "input":
            return input(*args)
        return getattr(sys.stdin, {"readline": "readline", "read": "read"}[name])()

    # Beside the answers ------------------------------------------------------------------------------------------

    def notes(self):
        notes = [self._files.changed(), self._surroundings.changed()]
        return notes if any(notes) else None

    def note(self, notes):
        if notes is None:
            return
        out, err, descriptions, warned, files = notes
        for description in descriptions:
            kind = make_class(self, description, self._classes)
            self._classes[description[0]] = kind
        for stream, text in ((sys.stdout, out), (sys.stderr, err)):
            if type(text) is str and text:
                stream.write(text)
        self._files.write([(str(path), content) for path, content in files])
        self._warned += [(ERRORS.get(category, UserWarning), str(text)) for category, text in warned]

    def _warn(self):
        """A filter of the tests may make an error of it."""
        warned, self._warned = self._warned, []
        for kind, text in warned:
            warnings.warn(text, kind if issubclass(kind, Warning) else UserWarning, stacklevel=4)


def _length(container):
    return len(container) if hasattr(container, "__len__") and not is_of_solution(container) else 1


def _is_arc(arc):
    return type(arc) is tuple and len(arc) == 2 and all(type(line) is int and abs(line) < _MOST_LINES for line in arc)


_HELD = (int, str, float, tuple, bytes, frozenset)
_BUILTINS = ERRORS | {kind.__name__: kind for kind in (*_HELD, bool, list, dict, set, bytearray, complex, range, slice, type(None), object)}
