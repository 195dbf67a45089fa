"""The tests' modules: compiled here, imported from memory.

A test file never lies on disk. Where it belongs there is an empty file of its name, so that a framework finds it, and
the finder below hands out its code. While code of the solution is executed, no test module is in sys.modules.
A name of the tests is theirs, then a library's (libraries.py), then the solution's.
"""
import ast
import functools
import importlib.util
import os
import sys
import types

from libraries import library_spec
from vault import hidden

CONFIGURATIONS = {"pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml"}


class TestFiles:
    """`files`: paths relative to `root`, and contents."""

    def __init__(self, root, files, rewrite=None):
        self._root = root
        self.trees, self.codes, self.texts = {}, {}, {}
        for path, content in sorted(files.items()):
            self.texts[path] = content.decode("utf-8", "replace")
            if path.endswith(".py"):
                self._compile(path, content, rewrite)

    def _compile(self, path, content, rewrite):
        full = self.full(path)
        try:
            tree = ast.parse(content, full)
            self.trees[path] = ast.parse(content, full)
            if rewrite is not None:
                rewrite(tree, content, full)
            self.codes[full] = compile(tree, full, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            self.codes[full] = error

    def full(self, path):
        return os.path.join(self._root, path)

    def place(self):
        """Empty files in the place of the tests; a framework's configuration is what it is."""
        for path, text in self.texts.items():
            full = self.full(path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text if os.path.basename(path) in CONFIGURATIONS else "")


class Finder:
    """Installs itself in sys.meta_path, hidden from others. `keep`: is told of modules of libraries when they are
    loaded."""

    def __init__(self, codes, root, rules):
        self._codes, self._root, self._rules, self.keep = codes, root + "/", rules, None
        self._modules, self.names = {}, set()
        self._loading, self._executed = 0, []
        self.entry = self._loader = None

    @property
    def modules(self):
        """The tests', as far as they are loaded."""
        return list(self._modules.values())

    def install(self):
        self._loader = types.SimpleNamespace(create_module=hidden(self.create_module), exec_module=hidden(self.exec_module))
        self.entry = types.SimpleNamespace(find_spec=hidden(self.find_spec))
        self._execute_hidden, self._execute_library = hidden(self.execute_hidden), hidden(self.execute_library)
        self.come_first()

    def come_first(self):
        sys.meta_path[:] = [self.entry] + [finder for finder in sys.meta_path if finder is not self.entry]

    def find_spec(self, name, path=None, target=None):
        tail = name.rpartition(".")[2]
        for folder in sys.path if path is None else path:
            base = os.path.join(folder, tail)
            for file, is_package in ((base + "/__init__.py", True), (base + ".py", False)):
                if file in self._codes:
                    return self._spec(name, file, base if is_package else None)
            if base.startswith(self._root) and (os.path.isdir(base) or os.path.exists(base + ".py")):
                break
        return self._without_tests(name, path, target)

    def _spec(self, name, file, folder):
        self._refuse_solution(name)
        self.names.add(name)
        return importlib.util.spec_from_file_location(
            name, file, loader=self._loader, submodule_search_locations=[folder] if folder else None)

    def _refuse_solution(self, name):
        if self._rules.solution_asks(sys._getframe(1)):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    # A loader's part. A module that was hidden meanwhile is the same one when it is imported again.

    def create_module(self, spec):
        self._refuse_solution(spec.name)
        return self._modules.get(spec.origin)

    def exec_module(self, module):
        file = module.__spec__.origin
        self._refuse_solution(module.__name__)
        if file in self._modules:
            return
        code = self._codes[file]
        if isinstance(code, Exception):
            raise code
        self._modules[file] = module
        try:
            exec(code, module.__dict__)
        except BaseException:
            del self._modules[file]
            raise

    # What is not the tests' --------------------------------------------------------------------------------------

    def _without_tests(self, name, path, target):
        """A library's, or what the others find; of the solution's modules with a loader that hides the tests meanwhile."""
        spec = library_spec(name)
        if spec is not None:
            spec.loader = spec.loader() if isinstance(spec.loader, type) else spec.loader
            spec.loader.exec_module = self._execute_library
            return spec
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if finder is not self.entry else None
            if spec is None:
                continue
            if spec.loader is not None and str(spec.origin).startswith(self._root):
                spec.loader.exec_module = functools.partial(self._execute_hidden, spec.loader.exec_module)
            return spec
        return None

    def execute_library(self, module):
        """By a loader that nobody else had in hands. What a library does to sys.modules meanwhile is its own affair."""
        name, before = module.__spec__.name, dict(sys.modules)
        outermost = not self._loading and type(module) is types.ModuleType and before.get(name) is module
        self._loading += 1
        self._executed.append((name, module))
        try:
            library_spec(name).loader.exec_module(module)
        finally:
            self._loading -= 1
            if outermost:
                executed, self._executed = self._executed, []
                packages = {name.partition(".")[0] for name, _ in executed}
                for name, now in list(sys.modules.items()):
                    if (now is module or now is not before.get(name)) and name.partition(".")[0] in packages:
                        self.keep(now, name)

    def execute_hidden(self, execute, module):
        tests = {name: sys.modules.pop(name) for name in self.names if name in sys.modules}
        try:
            execute(module)
        finally:
            sys.modules.update(tests)

    def hide(self):
        for name in self.names:
            sys.modules.pop(name, None)
