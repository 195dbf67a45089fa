"""Which lines of the solution were executed, when TALLY_COVERAGE names the folder for coverage.py's data.

A child gives what it has seen behind its verdict, and the parent writes all of it into one file at the end: what lies in the folder
until then is not ours.
"""
import os

from folders import remove_folder

FOLDER = os.environ.pop("TALLY_COVERAGE", "")
_SOLUTION = "/box/solution/"  # where `collect` finds the files
_MOST_LINES = 10_000_000


class Measuring:
    """Of files in `root` that are not `tests`."""

    def __init__(self, root, tests):
        import coverage
        self._coverage, self._root, self._arcs = coverage, root + "/", {}
        os.makedirs(root, exist_ok=True)  # or the name would be a package's
        self._cover = coverage.Coverage(data_file=None, branch=True, source=[root], omit=tests, config_file=False)
        self._cover.start()  # what it has to find out it finds out here, and not in each child
        self._cover.stop()

    def during(self, work):
        """In a child: `work`, and behind its verdicts one that says what was executed meanwhile."""
        def measuring(*args):
            self.start()
            yield from work(*args)
            yield {"arcs": self.executed()}

        return measuring

    def start(self):
        self._cover.start()

    def executed(self):
        """Since then. Without a data base, which takes a child 10 ms, where this version of coverage.py lets us."""
        self._cover.stop()
        heap = _Heap()
        try:
            self._cover._collector.covdata = heap
            self._cover._collector.flush_data()
            return heap.arcs
        except (AttributeError, TypeError):
            data = self._cover.get_data()
            return {path: data.arcs(path) or [] for path in data.measured_files()}

    def take(self, verdict):
        """What is no arc is left out: the solution was there when they were written down."""
        for path, arcs in verdict.pop("arcs", {}).items():
            if path.startswith(self._root) and os.path.normpath(path) == path:
                known = self._arcs.setdefault(_SOLUTION + path.removeprefix(self._root), set())
                known.update(tuple(arc) for arc in arcs if len(arc) == 2 and all(type(n) is int and abs(n) <= _MOST_LINES for n in arc))

    def write(self):
        for name in os.listdir(FOLDER):
            path = os.path.join(FOLDER, name)
            if os.path.isdir(path) and not os.path.islink(path):
                remove_folder(path)
            else:
                os.unlink(path)
        data = self._coverage.CoverageData(os.path.join(FOLDER, ".coverage"))
        data.add_arcs(self._arcs)
        data.write()


class _Heap:
    """In the place of coverage.py's data."""

    def __init__(self):
        self.arcs = {}

    def add_arcs(self, arcs):
        self.arcs = {path: list(some) for path, some in arcs.items()}

    def add_file_tracers(self, tracers):
        pass
