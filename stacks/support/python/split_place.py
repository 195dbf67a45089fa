"""A place for tests alone: the solution is in a process of its own, in a sandbox of its own, which is new for each child.

Who runs both (evaluation/split_run.h) holds a pipe for what the tests ask, one for what is answered, one for orders, which the parent gives
(start, stop), and one for notices: how the solution's process ended.
"""
import ast
import builtins
import importlib.machinery
import importlib.util
import os

import coverage_data
from carried_files import TOP
from libraries import library_spec
from place import CONFIGURATIONS, NOT_OF_SOLUTION, Place
from test_files import Finder
from tests_side import TestsSide

_SUFFIXES = (*importlib.machinery.all_suffixes(), ".pth", ".egg", ".zip")
_OF_FRAMEWORKS = ("_", "test", "Test", "pytest", "unittest", "load_tests", "setup", "setUp", "teardown", "tearDown")


class SplitPlace(Place):
    def __init__(self, engine, tests, channel):
        super().__init__(engine, tests, ["/box/include"])
        self.faults.take_frames = True
        self._fds = {name: int(channel.keys[f"{name}-fd"]) for name in ("calls", "answers", "orders", "notices")}
        self._modules = {name: is_package for name, is_package in _modules(channel.solution).items() if not self._is_given(name)}
        self._measured = {os.path.join(self.root, path) for path in channel.solution}
        self._kept = _bound_names(self.files.trees.values(), self._modules)
        self._used = _used_names([*self.files.trees.values(), *_trees(self.given)], self._modules)
        for fd in self._fds.values():
            os.set_inheritable(fd, False)
        self.side = None

    def _is_given(self, name):
        base = name.replace(".", "/")
        return f"{base}.py" in self.given or f"{base}/__init__.py" in self.given or library_spec(name) is not None

    def new_finder(self):
        return _Finder(self)

    def know_libraries(self):
        self.finder.keep = lambda module, name: None

    # In the parent -----------------------------------------------------------------------------------------------

    def start_solution(self):
        os.write(self._fds["orders"], b"start\n")

    def stop_solution(self):
        """What a child that was ended has not read belongs to nobody."""
        os.write(self._fds["orders"], b"stop\n")
        notices = b""
        while not notices.endswith(b"stopped\n"):
            notices += os.read(self._fds["notices"], 4096) or b"stopped\n"
        os.set_blocking(self._fds["answers"], False)
        try:
            while os.read(self._fds["answers"], 1 << 20):
                pass
        except BlockingIOError:
            pass
        os.set_blocking(self._fds["answers"], True)

    # In a child --------------------------------------------------------------------------------------------------

    def work(self, function, *args):
        os.chdir(self.root)
        self.side = TestsSide(self._fds, self._modules, set(_modules(self.files.texts)), set(_modules(self.given)), self._is_refused,
                              self._is_kept, self._used)
        for verdict in function(self, *args):
            if "status" in verdict:
                if coverage_data.FOLDER:
                    verdict["arcs"] = {path: arcs for path, arcs in self.side.executed().items() if path in self._measured}
                self.side.end()
            verdict["objection"], verdict["looked"] = self.side.ended, True
            yield verdict

    def _is_kept(self, name):
        return hasattr(builtins, name) or name in self._kept or name.startswith(_OF_FRAMEWORKS)

    def _is_refused(self, path):
        """No file of the solution is one that Python or a framework would read by itself, nor in the place of one that the tests have been given."""
        name, place = os.path.basename(path), os.path.relpath(os.path.join(TOP, path), self.root)
        is_code = name.endswith(_SUFFIXES) or "__pycache__" in path.split("/") or name in CONFIGURATIONS
        return is_code or place in self.given or place in self.files.texts

    @property
    def modules(self):
        return self._modules


class _Finder(Finder):
    """In the place of each module of the solution, one that asks."""

    def __init__(self, place):
        super().__init__(place.files.codes, place.root, place.rules)
        self._place, self._loaded = place, set()

    def _without_tests(self, name, path, target):
        if name not in self._place.modules:
            return super()._without_tests(name, path, target)
        folder = os.path.join(self._place.root, name.replace(".", "/"))
        return importlib.machinery.ModuleSpec(name, self, origin=folder + ".py", is_package=self._place.modules[name])

    def create_module(self, spec):
        return self._place.side.module(spec.name) if spec.name in self._place.modules else super().create_module(spec)

    def exec_module(self, module):
        name = module.__spec__.name
        if name not in self._place.modules:
            super().exec_module(module)
            return
        if module.__spec__.submodule_search_locations is not None:
            module.__path__ = [os.path.join(self._place.root, name.replace(".", "/"))]
        self._place.side.load(module, name in self._loaded)
        self._loaded.add(name)


def _modules(paths):
    """{name: whether it is a package}"""
    modules = {}
    for path in paths:
        if not path.endswith(".py") or os.path.basename(path) in NOT_OF_SOLUTION:
            continue
        *folders, last = path[:-3].split("/")
        for depth in range(1, len(folders) + 1):
            modules[".".join(folders[:depth])] = True
        if last != "__init__":
            modules.setdefault(".".join([*folders, last]), False)
    return modules


def _trees(files):
    for path, content in files.items():
        try:
            if path.endswith(".py"):
                yield ast.parse(content)
        except (SyntaxError, ValueError):  # who imports it is told
            pass


def _used_names(trees, modules):
    """What tests and include files write themselves, and not as something of a library's (`unittest.TestCase`): a star brings others, too."""
    names, libraries, nodes = set(), set(), [node for tree in trees for node in ast.walk(tree)]
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            is_library = isinstance(node, ast.ImportFrom) and node.level == 0 and node.module not in modules
            for alias in node.names:
                bound = (alias.asname or alias.name).partition(".")[0]
                is_of_solution = not is_library and (isinstance(node, ast.ImportFrom) or alias.name.partition(".")[0] in modules)
                (names if is_of_solution else libraries).update((alias.name, bound))
        elif isinstance(node, ast.Name):
            names.add(node.id)
    for node in nodes:
        if isinstance(node, ast.Attribute) and not (isinstance(node.value, ast.Name) and node.value.id in libraries):
            names.add(node.attr)
    return names


def _bound_names(trees, modules):
    """What the tests themselves call something, but for what they import from the solution."""
    names = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Import) or isinstance(node, ast.ImportFrom) and node.module not in modules:
            names.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
    return names
