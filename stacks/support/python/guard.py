"""What a solution may not do in the process that tests it.

Tests and solution share one interpreter, and there is no wall in it. What stands here makes each cheap way fail:

  * An audit hook (it cannot be removed) refuses the solution what is of use only to look at its caller or to change it:
    frames, the code of functions that are not its own, gc's lists, trace and monitoring functions, ctypes, signals to other
    processes. A handler of a signal is called without the frame that it interrupts.
  * All names of modules, classes and objects of the test framework and of libraries refer to the same behind the cases as before
    them, or as they were loaded, or the case is an error (snapshot.py). A module of the solution never takes a library's name
    (libraries.py).
  * A verdict needs a token that is out of reach, and is written for one frame alone, the runner's (vault.py).
  * A case that leaves something behind that could act in the next one is the last of its process (traces.py).

What remains: a solution written against this very file. A frame's f_back and f_locals are not audited, so who has one from a
library that nobody thought of reads the test's local variables, and can reach the framework's objects; a function that a test
hands to the solution leads to the test's globals; who replaces a function of the framework and puts the original back before
somebody looks is not seen, nor is who changes what a library keeps in a dict or list (re's cache); who seeds `random` knows what
comes; a child (os.fork) can try an answer first; and an object may call itself equal to anything, which is for the test to
notice. A solution still cannot make a case disappear, pass one in whose process it did not take part, or write into the report.
"""
import _imp
import _signal
import os
import re
import sys
import types
from _thread import get_ident

from libraries import LIBRARY, is_library
from vault import hidden

_NEVER = {"gc.get_objects", "gc.get_referrers", "gc.get_referents", "sys._current_frames", "sys._current_exceptions",
          "sys.settrace", "sys.setprofile", "sys.addaudithook", "sys.monitoring.register_callback"}
_NATIVE = {"ctypes", "_ctypes", "cffi", "_cffi_backend", "_testcapi", "_testinternalcapi", "_xxsubinterpreters"}
_FRAMES = {"tb_frame", "gi_frame", "cr_frame", "ag_frame"}
_CODES = {"f_code", "gi_code", "cr_code", "ag_code", "__code__"}
_PASSES_ON = re.compile("^<frozen |/importlib/|/ctypes/")
# Of the standard library and of pytest, who asks for a frame and hands it to nobody; of others any does.
_KEEPS_FRAMES = ("/enum.py", "/typing.py", "/collections/__init__.py", "/warnings.py", "/subprocess.py", "/dataclasses.py",
                 "/asyncio/events.py", "/asyncio/futures.py", "/asyncio/streams.py", "/asyncio/format_helpers.py", "/asyncio/coroutines.py",
                 "/unittest/case.py", "/unittest/result.py", "/_pytest/config/__init__.py")
_HANDS_OUT_TO_ITSELF = ("/logging/__init__.py", "/traceback.py")
_RUNNER = os.path.dirname(os.path.abspath(__file__)) + "/"
_OTHERS = ("/dist-packages/", "/site-packages/")


class Rules:
    """The answers to audit events. `tests`: the paths of the test files, whose code may do anything."""

    def __init__(self, tests):
        self._tests = frozenset(tests)
        self._parent, self._thread = os.getpid(), get_ident()
        self.measures = False  # each thread sets coverage.py's trace function then; no verdict is made

    def trusts(self, code):
        name = code.co_filename
        return name in self._tests or is_library(name)

    def solution_asks(self, frame):
        """Whether the first frame that is not a library's is neither a test's. A thread that is all a library's works for somebody
        who cannot be seen."""
        while frame is not None:
            name = frame.f_code.co_filename
            if not is_library(name):
                return name not in self._tests
            frame = frame.f_back
        return get_ident() != self._thread

    def refuses(self, event, args, frame):
        judge = _JUDGES.get(event)
        if judge is None:
            if event.startswith("ctypes."):
                return self._wants_native(frame)
            return event in _NEVER and not (self.measures and event == "sys.settrace") and self.solution_asks(frame)
        return judge(self, args, frame)

    def _get_frame(self, args, frame):
        return not self._keeps_frames(frame) and self.solution_asks(frame)

    def _keeps_frames(self, frame):
        """Whether the code that asks for a frame does not hand it on."""
        name = frame.f_code.co_filename
        if not self.trusts(frame.f_code) or name in self._tests:
            return name in self._tests
        if name.endswith(_HANDS_OUT_TO_ITSELF):
            return frame.f_back is not None and frame.f_back.f_code.co_filename == name and frame.f_code.co_name != "walk_stack"
        if name.startswith(_RUNNER) or name.endswith(_KEEPS_FRAMES) or frame.f_code.co_name == "_normalize_module":
            return True
        return any(folder in name for folder in _OTHERS) and "/_pytest/" not in name

    # What the solution hands in is looked at by its exact type alone: anything else could run code of its own in here.

    def _get_attribute(self, args, frame):
        thing, name = args[:2]
        if name in _FRAMES:
            mentions = name in frame.f_code.co_names  # and was not made to, by an attrgetter
            return not (mentions and self._keeps_frames(frame)) and self.solution_asks(frame)
        return name in _CODES and not self.trusts(frame.f_code) and not self._is_own_function(thing)

    def _is_own_function(self, thing):
        return type(thing) is types.FunctionType and not self.trusts(thing.__code__)

    def _set_attribute(self, args, frame):
        thing = args[0]
        return type(thing) is types.FunctionType and not self.trusts(frame.f_code) and self.trusts(thing.__code__)

    def _import(self, args, frame):
        name, path = args[:2]
        if name == "_signal":
            return True  # it is there: who has it imported anew wants it as it was
        if path is not None and not (type(path) is str and path.startswith(LIBRARY)):
            return self.solution_asks(frame)
        return (type(name) is not str or name.partition(".")[0] in _NATIVE) and self._wants_native(frame)

    def _wants_native(self, frame):
        """A library may use ctypes for itself."""
        while frame is not None and _PASSES_ON.search(frame.f_code.co_filename):
            frame = frame.f_back
        return frame is not None and not self.trusts(frame.f_code)

    def _names_code(self, name, frame):
        """Code that calls itself a library's or a test's."""
        if self.trusts(frame.f_code) or name is None:
            return False
        return type(name) is not str or name in self._tests or is_library(name)

    def _kill(self, args, frame):
        return (args[0] <= 1 or args[0] == self._parent) and self.solution_asks(frame)


_JUDGES = {
    "sys._getframe": Rules._get_frame,
    "object.__getattr__": Rules._get_attribute,
    "object.__setattr__": Rules._set_attribute,
    "object.__delattr__": Rules._set_attribute,
    "import": Rules._import,
    "compile": lambda rules, args, frame: rules._names_code(args[1], frame),
    "code.__new__": lambda rules, args, frame: rules._names_code(args[1], frame),
    "os.kill": Rules._kill,
    "os.killpg": Rules._kill,
}


def quiet_signals():
    """A handler is not given the frame that it interrupts: it gets None, which it may expect as well."""
    install, handler_of, create, given = _signal.signal, _signal.getsignal, _imp.create_builtin, {}

    def install_quietly(number, handler):
        before = get_handler(number)
        wants_frame = callable(handler) and handler is not _signal.default_int_handler
        install(number, (lambda number, _: handler(number, None)) if wants_frame else handler)
        given[number] = handler
        return before

    def get_handler(number):
        return given[number] if number in given else handler_of(number)

    def create_others(spec):
        if spec.name == "_signal":
            raise ImportError("not allowed to a solution: a second _signal")
        return create(spec)

    _signal.signal, _signal.getsignal, _imp.create_builtin = hidden(install_quietly), hidden(get_handler), hidden(create_others)
    return _signal, _imp


def watch(rules, get_frame=sys._getframe, ident=get_ident):
    """In a child, before the solution is imported."""
    asking = set()  # threads that are in here; what they do is not asked about

    def hook(event, args):
        me = ident()
        if me in asking:
            return
        asking.add(me)
        try:
            refused = rules.refuses(event, args, get_frame(1))
        finally:
            asking.discard(me)
        if refused:
            raise PermissionError(f"not allowed to a solution: {event}")

    sys.addaudithook(hook)
