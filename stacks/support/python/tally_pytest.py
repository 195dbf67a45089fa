"""Runs the tests of a stack in Python:  tally_pytest.py pytest | unittest

The parent, which is this file, executes no line of the solution. It reads the request from the report channel, and has a
child for each test file (children.py), which finds the cases and runs one after the other, as the framework would by hand. Where
one fails, ends its process, hangs, or leaves something behind (traces.py), the cases behind it have a new one, in a folder that is
new, too (place.py). What the solution may do in there: guard.py.
"""
import gc
import os
import sys
import time

gc.disable()  # until all is loaded (place.py): there is next to nothing to find, and to look takes 8 ms
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import coverage_data  # noqa: E402
import junit  # noqa: E402
from channel import Channel  # noqa: E402
from children import Child  # noqa: E402
from place import Place  # noqa: E402


# A report that is too long is none (evaluation/report_channel.cc), so behind this much of it texts are short.
_MANY_TEXTS, _SHORT = 16 << 20, 100
# Seconds at the end of the tests' time, for cases that nobody has vouched for when the one behind them takes all of it.
_FOR_HELD = 1
_NOT_THERE = "the case is not there any more"
_NOT_FOUND = "the case is in the test file, but was not found by the test framework"


class Case:
    def __init__(self, name, path, where=None, ending=None):
        self.id, self.path, self.where = name, path, where
        self.ending = ending  # of the child that should have found it, when it did not
        self.ended = None  # how, where that is known before it is its turn


class Runner:
    def __init__(self, engine, channel):
        self._engine, self._channel, self._child = engine, channel, None
        self._seconds = int(channel.keys.get("case-ms", 10000)) / 1000
        self._most_written = int(channel.keys.get("output-bytes", 8 << 20))
        self._longest = int(channel.keys.get("text-characters", 65536))
        tests = {path.removeprefix("tests/"): content for path, content in channel.files.items()}
        self._is_split = "calls-fd" in channel.keys
        self._measuring_time = int(channel.keys.get("coverage-ms", 0)) / 1000  # behind the verdicts
        measures = bool(coverage_data.FOLDER) and "coverage-ms" not in channel.keys
        tests_time = int(channel.keys.get("tests-ms", 0)) / 1000 or float("inf")
        self._tests_end = time.monotonic() + tests_time - min(_FOR_HELD, tests_time / 2)
        self._place = (_split_place(engine, tests, channel) if self._is_split
                       else Place(engine, tests, ["/box/solution", "/box/include"], judges=not measures))
        self._measuring, self._end = None, float("inf")
        if measures:
            self._load_measuring()

    def start(self):
        self._engine.start(self._place, self._run_all)

    def _load_measuring(self):
        self._measuring = coverage_data.Measuring(self._place.root, list(self._place.files.codes))

    def _run_all(self):
        self._place.look()
        if self._measuring and not self._is_split:
            self._channel.write("cases", "")
            self._measure()
        else:
            self._judge_all()
        if self._measuring_time:
            self._channel.write("judged", "")
            self._place.stop_judging(self._load_measuring)
            self._end = time.monotonic() + self._measuring_time
            self._measure()
        self._place.remove()
        if time.monotonic() >= self._end:
            self._channel.write("unmeasured", f"it took longer than {self._measuring_time:g} s")
        elif self._measuring:
            self._measuring.write()
        self._channel.write("done", "0")
        sys.stdout.flush()
        os._exit(0)  # what a framework does behind its tests is nobody's business

    def _judge_all(self):
        """What cases there are is said before the first is run. The child that found those of the first file goes on with them."""
        paths = self._test_files()
        found = {path: self._collect(path) for path in reversed(paths)}
        self._channel.write("cases", "".join(case.id + "\n" for path in paths for case in found[path]))
        for path in paths:
            self._run_all_of([case for case in found[path] if case.id not in self._channel.skip])

    def _run_all_of(self, cases):
        """Of a file. From the first that a process cannot vouch for on, it looks behind each."""
        closely = self._is_split
        while cases:
            endings = self._run_some(cases, closely)
            closely = closely or not endings
            for case, ending in zip(cases, endings):
                if closely and ending.verdict and ending.verdict["objection"]:
                    _forget_endings(cases)  # this is who has spoilt them
                longest = self._longest if self._channel.written < _MANY_TEXTS else _SHORT
                if ending.timeout:
                    self._channel.skip.add(case.id)  # it would hang again, where coverage is measured
                self._channel.write("report", junit.case(case.id, *self._judge(case, ending), ending, self._place.line, longest))
            cases = cases[len(endings):]
        self._leave()

    def _run_some(self, cases, closely):
        """How they ended, up to one behind which the process has looked. [] where it did not come so far, or saw something: then a
        look behind each is to say which of them it was. The last of them has no second try, but where it was not."""
        endings = []
        for n, case in enumerate(cases):
            self._channel.write("begin", case.id)
            seconds = min(self._seconds, self._tests_end - time.monotonic()) if endings else self._seconds
            ending = self._run(case, cases[n + 1:], closely, seconds)
            fails = ending.verdict is None or ending.verdict["objection"]
            if fails and endings:
                case.ended = ending
                break
            endings.append(ending)
            if fails or ending.verdict["looked"]:
                return endings
        self._leave()
        return []

    def _measure(self):
        """The verdicts are there, so it does not matter what a case leaves behind. Where a process ends before it says what was executed,
        each case has its own."""
        for path in self._test_files():
            cases = [case for case in self._collect(path) if case.ending is None and case.id not in self._channel.skip]
            if self._child is not None and self._measured(len(cases)):
                continue
            for case in cases:
                if time.monotonic() < self._end:
                    self._begin(path, [case])
                    self._measured(2)
        self._leave()

    def _measured(self, verdicts):
        """Whether the child has come to its end, behind these."""
        endings = (self._next() for _ in range(verdicts + 1))
        last = next((ending for n, ending in enumerate(endings) if ending.verdict is None or n == verdicts))
        if last.verdict is not None:
            self._measuring.take(last.verdict)
        return last.verdict is not None

    def _test_files(self):
        paths = [path for path in self._place.files.texts if path.endswith(".py")]
        return [path for path in paths if self._engine.is_test_file(path)] or [
            path for path in paths if os.path.basename(path) not in ("conftest.py", "__init__.py")]

    # The child ---------------------------------------------------------------------------------------------------

    def _begin(self, path, cases=None):
        """A new one, for these (or all) cases of a file."""
        self._leave()
        self._place.renew()
        self._place.start_solution()
        work = self._measuring.during(self._place.work) if self._measuring and not self._is_split else self._place.work
        only = None if cases is None else frozenset(case.id for case in cases)
        self._child = Child(lambda: work(self._engine.cases, path, only, self._channel.skip), self._channel, self._most_written, 4 * (self._longest + 1))

    def _next(self):
        return self._child.next(min(self._seconds, self._end - time.monotonic()))

    def _leave(self):
        if self._child is not None:
            self._child.end()
            self._place.stop_solution()
            self._child = None

    def _collect(self, path):
        """A child in which the solution changed something could call one case by another's name."""
        self._begin(path)
        ending = self._next()
        believed = ending.verdict is not None and not ending.verdict["objection"]
        cases = [Case(self._engine.case_id(where), path, where) for where in ending.verdict["cases"]] if believed else []
        names = {_without_parameters(case.id) for case in cases}
        missing = [name for name in self._place.expected(path) if name not in names]
        if not cases and not missing and (not believed or ending.verdict["error"]):
            missing = [os.path.basename(path)]
        if missing or not believed or self._is_split:
            self._leave()
        return cases + [Case(name, path, None, ending) for name in missing]

    def _run(self, case, later, closely, seconds):
        """In the child that has run those before it, if it may go on."""
        if case.ending or case.ended:
            self._leave()
            return case.ending or case.ended
        if self._child is None or not self._child.lives:
            self._place.looks_closely = closely
            self._begin(case.path, [case] if self._is_split else [case, *later])
            ending = self._next()
            verdict = ending.verdict
            if verdict is None or verdict["objection"] or case.where not in verdict["cases"]:
                if verdict is not None:
                    verdict.update(status="error", fault=verdict["error"] or (_NOT_THERE, []))
                self._leave()
                return ending
        ending = self._child.next(seconds)
        if ending.verdict is not None and ending.verdict["where"] != case.where:
            ending.verdict, ending.why = None, _NOT_THERE
        elif ending.verdict is not None and self._measuring:
            self._measuring.take(ending.verdict)
        if self._is_split or ending.verdict is None or ending.verdict["objection"] or ending.verdict["left"]:
            self._leave()
        return ending

    def _judge(self, case, ending):
        """(status, (message, frames))"""
        while_importing = f"while {case.path} was imported: " if case.ending is not None else ""
        if ending.verdict is None:
            return "timeout" if ending.timeout else "error", (while_importing + ending.why, [])
        if ending.verdict["objection"]:
            return "error", (while_importing + ending.verdict["objection"], [])
        if case.ending is not None:
            message, frames = ending.verdict["error"] or (_NOT_FOUND, [])
            return "error", (while_importing + message if frames else message, frames)
        return ending.verdict["status"], ending.verdict["fault"]


def _split_place(engine, tests, channel):
    """Imported here: what it takes (unittest.mock, and with it asyncio) each child of others would have to look at."""
    from split_place import SplitPlace

    return SplitPlace(engine, tests, channel)


def _forget_endings(cases):
    for case in cases:
        case.ended = None


def _without_parameters(name):
    return name.partition("[")[0] + "#" + name.rpartition("#")[2] if "[" in name else name


def main():
    channel = Channel()
    if sys.argv[1] == "pytest":
        import pytest_cases as engine
    else:
        import unittest_cases as engine
    Runner(engine, channel).start()


main()
