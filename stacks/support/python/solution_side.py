"""The solution's process, where tests have one of their own: answers what they ask (talk.py). Its sandbox is its own too, so nothing in here
guards anything: whatever the solution makes of this process, it can only answer.

What is no plain value stays here, and goes by its number. With the first object of a class the tests are told what the class has.
"""
import builtins
import importlib
import os
import shutil
import sys
import types
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import coverage_data  # noqa: E402
import specials  # noqa: E402
import surroundings  # noqa: E402
from carried_files import CarriedFiles  # noqa: E402
from own_classes import OwnClasses  # noqa: E402
from streams import Input, Output  # noqa: E402
from talk import Side  # noqa: E402

ROOT = "/tmp/work"
_VALUES = (int, str, float, tuple, bytes, frozenset)  # a class derived from one holds it for ever
_CHANGING = (list, dict, set, bytearray)


class SolutionSide(Side):
    passed_on = BaseException

    def __init__(self, fd_in, fd_out, own, measuring, most_output):
        super().__init__(fd_in, fd_out, own)
        self._most_output = most_output
        self._measuring, self._told = measuring, None
        self._process, self._objects, self._numbers, self._lent = os.getpid(), [], {}, {}
        self._described, self._descriptions, self._warnings, self._said = set(), [], [], {1: 0, 2: 0}
        self._files = CarriedFiles()

    def serve(self):
        while True:
            self.answer(self.take())

    def take(self):
        message = super().take()
        if message[0] == "end":
            os._exit(0)
        return message

    def _send(self, message):
        if os.getpid() != self._process:
            os._exit(0)  # a copy that the solution made (os.fork) answers nobody
        super()._send(message)

    # Questions ---------------------------------------------------------------------------------------------------

    def perform(self, op, target, name, args, kwargs):
        if op == "call":
            return target(*args, **kwargs)
        if op == "special":
            return specials.ask(target, name, args)
        if op == "import":
            module = sys.modules.get(name)
            importlib.reload(module) if module is not None and args else importlib.import_module(name)
            return None
        if op == "names":
            return _public(target) if name else dir(target)
        if op == "held":
            return _held(target)
        if op == "executed":
            return self._measuring.executed()
        return {"get": getattr, "set": setattr, "delete": delattr}[op](target, name, *args)

    # What stays here ---------------------------------------------------------------------------------------------

    def pack_other(self, value, values):
        if isinstance(value, Lent):
            return ["lent", value._tally_number]
        if isinstance(value, BaseException):
            return self._pack_error(value, values)
        if (member := self.own.member(value)) is not None:
            return member
        if isinstance(value, types.ModuleType) and str(getattr(value, "__file__", "")).startswith(ROOT + "/"):
            return ["module", value.__name__]
        if isinstance(value, type):
            if (name := self.own.name_of(value)) is not None:
                return ["own", name]
            return ["builtin", value.__name__] if _is_builtin(value) else ["class", self._describe(value)]
        kind = type(value)
        held = next((base for base in _VALUES if issubclass(kind, base)), None)
        return ["object", self._number(value), self._describe(kind), None if held is None else values.pack(held(_plain(value, held)))]

    def unpack_other(self, tag, parts, values):
        if tag == "module":
            return sys.modules[parts[0]]
        if tag == "builtin":
            return getattr(builtins, parts[0])
        if tag == "own":
            return self.own.find(parts[0])
        if tag == "member":
            return self.own.find(parts[0])[parts[1]]
        if tag == "lent":
            return self._lent[parts[0]] if parts[0] in self._lent else self._borrow(*parts)
        if tag == "error":
            return self._error(parts[0], [values.unpack(part) for part in parts[1]], parts[2])
        return self._objects[parts[0]]

    def _number(self, thing):
        if id(thing) not in self._numbers:
            self._numbers[id(thing)] = len(self._objects)
            self._objects.append(thing)
        return self._numbers[id(thing)]

    def _describe(self, kind):
        """Told once; what it derives from before."""
        number = self._number(kind)
        if number not in self._described:
            self._described.add(number)
            bases = [base.__name__ if _is_builtin(base) else self._describe(base) for base in kind.__bases__ if base is not object]
            held = issubclass(kind, _VALUES)
            names = specials.of(kind, _VALUES if held else ())
            self._descriptions.append([number, kind.__name__, str(kind.__module__), bases,
                                       [name for name in names if not held or name in specials.BESIDE_A_VALUE],
                                       hasattr(type(kind), "__iter__"), issubclass(kind, _CHANGING)])
        return number

    def _pack_error(self, error, values):
        if hasattr(error, "_tally_number"):
            return ["lent", error._tally_number]
        kind = type(error)
        attributes = {} if _is_builtin(kind) else {name: value for name, value in vars(error).items() if type(value) in (int, str, bool)}
        name = kind.__name__ if _is_builtin(kind) else self.own.name_of(kind) or self._describe(kind)
        return ["error", name, [values.pack(arg) for arg in error.args], _text(error),
                self._number(error), attributes, _frames(error)]

    # What the tests have lent ------------------------------------------------------------------------------------

    def _borrow(self, number, names):
        kind = type("Lent", (Lent,), {name: _asking(self, name) for name in names} | {"_tally_side": self})
        lent = self._lent[number] = object.__new__(kind)
        object.__setattr__(lent, "_tally_number", number)
        return lent

    def _error(self, name, args, number):
        """An exception of the tests, which they know again by its number."""
        kind = self.own.find(name) if type(name) is list else getattr(builtins, name, None)
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            kind = type(name, (Exception,), {})
        error = kind(*args)
        error._tally_number = number
        return error

    # What the tests have changed since they were told it: the solution's own lists ---------------------------------

    def told(self, values):
        self._told = values

    def change(self, contents):
        self._told.receive(contents)

    # Beside the answers ------------------------------------------------------------------------------------------

    def notes(self):
        notes = [self._new_text(sys.stdout, 1), self._new_text(sys.stderr, 2), self._descriptions, self._warnings, self._files.changed()]
        self._descriptions, self._warnings = [], []
        return notes if any(notes) else None

    def note(self, notes):
        if notes is not None:
            files, changes = notes
            self._files.write(files)
            surroundings.take(changes)

    def _new_text(self, stream, fd):
        try:
            stream.flush()
        except Exception:
            pass
        begin, end = self._said[fd], os.fstat(fd).st_size
        self._said[fd] = end
        return os.pread(fd, min(end - begin, self._most_output + 1), begin).decode("utf-8", "replace") if end > begin else ""

    def note_warning(self, message, category, *where, **more):
        self._warnings.append([category.__name__, str(message)])

    # As in a program that is started by the tests ----------------------------------------------------------------

    def input(self, prompt=""):
        return self.ask("input", None, "input", [str(prompt)])


class Lent:
    """Something of the tests: a function that they have given, an object."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._tally_side.ask("get", self, name)

    def __setattr__(self, name, value):
        self._tally_side.ask("set", self, name, [value])

    def __delattr__(self, name):
        self._tally_side.ask("delete", self, name)


def _asking(side, name):
    if name == "__call__":
        return lambda self, *args, **kwargs: side.ask("call", self, "", args, kwargs)
    if name == "__exit__":
        return lambda self, kind, error, trace: side.ask("special", self, name, [error])
    return lambda self, *args: side.ask("special", self, name, args)


def _is_builtin(kind):
    return getattr(builtins, kind.__name__, None) is kind


def _plain(value, kind):
    """What it holds, without asking the solution's own methods."""
    return kind(*kind.__getnewargs__(value)) if kind in (int, str, float, bytes) else kind(kind.__iter__(value))


def _held(thing):
    for kind in _CHANGING:
        if isinstance(thing, kind):
            return kind(dict.items(thing) if kind is dict else kind.__iter__(thing))
    raise TypeError("holds nothing")


def _public(module):
    return list(getattr(module, "__all__", None) or (name for name in vars(module) if not name.startswith("_")))


def _text(error):
    try:
        return str(error)
    except Exception:
        return "<no text>"


def _frames(error):
    frames, trace = [], error.__traceback__
    while trace is not None and len(frames) < 20:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(ROOT + "/"):
            frames.append([code.co_filename[len(ROOT) + 1:], trace.tb_lineno, code.co_name])
        trace = trace.tb_next
    return frames


def _modules(folder):
    """Names of those that lie in it."""
    for base, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".py"):
                yield os.path.relpath(os.path.join(base, name), folder)[:-3].replace("/", ".").removesuffix(".__init__")


def main():
    for folder in ("/box/solution", "/box/include"):
        shutil.copytree(folder, ROOT, dirs_exist_ok=True, copy_function=shutil.copyfile)
    os.chdir(ROOT)
    most_output = int(sys.argv[3])
    measuring = coverage_data.Measuring(ROOT, []) if coverage_data.FOLDER else None
    side = SolutionSide(int(sys.argv[1]), int(sys.argv[2]), OwnClasses(_modules("/box/include")), measuring, most_output)
    for name in ("carried_files", "coverage_data", "folders", "own_classes", "specials", "streams", "surroundings", "talk", "wire"):
        del sys.modules[name]  # which the solution may have files of
    sys.argv, sys.path[:] = ["tests"], [*sys.path[1:], ROOT]
    sys.stdout, sys.stderr = Output.stream(1, most_output), Output.stream(2, most_output, errors="backslashreplace", line_buffering=True)
    sys.modules["__main__"] = types.ModuleType("__main__")
    builtins.input, sys.stdin, warnings.showwarning = side.input, Input(side), side.note_warning
    warnings.simplefilter("always")
    if measuring:
        measuring.start()
    side.serve()


if __name__ == "__main__":
    main()
