"""Collects and runs cases by pytest, in a child that was made for it."""
import contextlib
import importlib
import io
import os
import sys
import traceback
import unittest.case

import pytest
from _pytest import config as pytest_config
from _pytest import outcomes
from _pytest.assertion import util as assertion_util
from _pytest.assertion.rewrite import AssertionRewritingHook, rewrite_asserts
from _pytest.debugging import pytestPDB
from _pytest.main import Session
from _pytest.mark import MARK_GEN

from vault import hidden

ANY_TEST_CLASS = True
_SKIPS = (outcomes.Skipped, outcomes.XFailed, unittest.case.SkipTest)
_READY = []  # the plugin whose pytest is configured
_BY_SOLUTION = "the solution skipped the test"


def rewrite(tree, content, path):
    rewrite_asserts(tree, content, path)


def is_test_file(path):
    name = os.path.basename(path)
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def start(place, cases):
    """Calls `cases` when children may be made. Where the tests configure pytest, each of these starts its own; else they are copies of
    a pytest that is configured and knows no test yet, for which takes 50 ms."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    if place.configures_framework:
        for name in pytest_config.default_plugins:  # what each of them would import
            importlib.import_module("_pytest." + name)
        cases()
        return
    place.renew()
    os.chdir(place.root)
    plugin = _Plugin(place, cases)
    with plugin.silence():
        pytest.main(_options(place), plugins=[plugin])


def cases(place, path, only, skip):
    """Gives {"cases": where each is, "error": None or a fault}, and then, of those that are among `only` (or all) and not in `skip`,
    {"where", "status", "fault", "seconds", "left": whether it cannot go on} of one after the other."""
    plugin = _READY.pop() if _READY else _Plugin(place)
    items = plugin.collect(path)
    yield {"cases": [item.nodeid for item in items], "error": plugin.error}
    chosen = [item for item in items if (only is None or case_id(item.nodeid) in only) and case_id(item.nodeid) not in skip]
    for item, following in zip(chosen, [*chosen[1:], None]):
        yield plugin.run(item, following)


def _options(place):
    ini = next((name for name in ("pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml") if os.path.exists(name)), os.devnull)
    return ["-c", ini, "--rootdir", place.root, "--confcutdir", place.root, "-o", "addopts=", "-v", "--capture=no",
            "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:junitxml",
            "-p", "no:pastebin", "-p", "no:setuponly", "-p", "no:setupplan", "-p", "no:stepwise"]


def case_id(where):
    """As pytest's own JUnit XML calls it: name#package.module.Class"""
    base, bracket, parameters = where.partition("[")
    names = base.split("::")
    names[0] = names[0][:-3].replace("/", ".")
    return f"{names[-1]}{bracket}{parameters}#{'.'.join(names[:-1])}"


class _Plugin:
    """`children`: called in the place of a collection."""

    def __init__(self, place, children=None):
        self._place, self._children, self._session = place, children, None
        self._real_stdout = self._compare = None
        self._hidden_compare = hidden(self.compare)  # one for all cases: each hook is asked at each event
        self.error = None
        self._reports, self._faults, self._skipped_by_solution = {}, {}, False

    # Set-up ------------------------------------------------------------------------------------------------------

    # Pytest keeps its state where a solution would look for it.

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self):
        sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, AssertionRewritingHook)]
        if self._place.finder is not None:
            self._place.finder.come_first()

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config):
        config.pluginmanager.unregister(name="terminalreporter")
        MARK_GEN._config = None
        pytestPDB._config = pytestPDB._pluginmanager = None
        sys.stdout = self._real_stdout

    def pytest_runtest_logstart(self):
        assertion_util._config = None
        if assertion_util._reprcompare is not None:
            self._compare, assertion_util._reprcompare = assertion_util._reprcompare, self._hidden_compare

    def compare(self, *args):
        return self._compare(*args)

    @contextlib.contextmanager
    def silence(self):
        """Until pytest is configured."""
        self._real_stdout, sys.stdout = sys.stdout, io.StringIO()
        try:
            yield
        finally:
            sys.stdout = self._real_stdout

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session):
        """In the parent, which collects nothing itself."""
        if self._children is None:
            return None
        children, self._children, self._session = self._children, None, session
        _READY.append(self)
        children()
        return True

    # Collecting --------------------------------------------------------------------------------------------------

    def collect(self, path):
        """The items, as far as there are any; else self.error says why."""
        try:
            if self._session is None:
                self._start(path)
                self._session.config.hook.pytest_collection(session=self._session)
            else:
                self._place.finder.come_first()
                self._session.perform_collect([path])
        except (Exception, KeyboardInterrupt, SystemExit) as error:
            self._note_error(error)
        return list(getattr(self._session, "items", ()))

    def _start(self, path):
        """What pytest.main does before it collects."""
        with self.silence():
            config = pytest_config._prepareconfig([*_options(self._place), path], [self])
            self._session = Session.from_config(config)
            config._do_configure()
            config.hook.pytest_sessionstart(session=self._session)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self):
        outcome = yield
        self._place.finder.hide()
        report = outcome.get_result()
        if report.failed:
            self._note_error(report.call.excinfo.value)

    def _note_error(self, error):
        if self.error is None:
            error = error.__cause__ or error  # of a CollectError or ConftestImportFailure, which retell it at length
            message = "".join(traceback.format_exception_only(type(error), error)).strip()
            self.error = self._place.faults.of(error, message)

    # Running -----------------------------------------------------------------------------------------------------

    def run(self, item, following):
        self._reports, self._faults, self._skipped_by_solution, stopped = {}, {}, False, False
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        except (Exception, KeyboardInterrupt, SystemExit):  # a report is missing then
            stopped = True
        return {"where": item.nodeid, **self._verdict(), "left": bool(following is None or stopped or self._session.shouldstop or self._session.shouldfail)}

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        # Others exchange it: a unittest.SkipTest for a Skipped of pytest's own, and what unittest has kept for its own.
        self._see_skip(call)
        outcome = yield
        self._see_skip(call)
        if call.excinfo is not None:
            crash = getattr(outcome.get_result().longrepr, "reprcrash", None)
            message = crash.message if crash is not None else call.excinfo.exconly()
            self._faults[call.when] = self._place.faults.of(call.excinfo.value, message)

    def _see_skip(self, call):
        if call.excinfo is not None and isinstance(call.excinfo.value, _SKIPS):
            self._skipped_by_solution |= self._place.faults.is_of_solution(call.excinfo.value)

    def pytest_runtest_logreport(self, report):
        self._reports[report.when] = report

    # The verdict -------------------------------------------------------------------------------------------------

    def _verdict(self):
        reports = self._reports
        seconds = sum(report.duration for report in reports.values())
        status, fault = self._judge(reports)
        return {"status": status, "fault": fault, "seconds": seconds}

    def _judge(self, reports):
        if self._skipped_by_solution or self._place.skipped_by_solution:
            return "error", (_BY_SOLUTION, [])
        if self._place.stopped:
            return "error", ("the solution stopped the test", [])
        for when in ("setup", "call", "teardown"):
            report = reports.get(when)
            if report is not None and report.skipped:
                return "skipped", (_reason(report), [])
            if report is not None and report.failed:
                fault = self._faults.get(when) or (str(report.longrepr), [])
                return "failure" if when == "call" else "error", fault
        if not {"setup", "call", "teardown"} <= set(reports):
            return "error", self.error or ("the test framework was stopped before the test was over", [])
        return "passed", None


def _reason(report):
    if hasattr(report, "wasxfail"):
        return "expected to fail" + (f": {report.wasxfail}" if report.wasxfail else "")
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.removeprefix("Skipped: ")
