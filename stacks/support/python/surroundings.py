"""What a program finds beside its arguments and may be given by a test: the folder in which it is, the environment, sys.argv. The solution's
process has what the tests have (monkeypatch.chdir, setenv, mock.patch("sys.argv", ...)), from its next question on."""
import os
import sys

_OF_FRAMEWORKS = "PYTEST"  # pytest tells there which test is running


class Surroundings:
    """The tests'. `changed`: what is other than when it was last asked, or {}."""

    def __init__(self):
        self._known = self._now()

    def changed(self):
        now = self._now()
        changes = {name: value for name, value in now.items() if value != self._known[name]}
        self._known = now
        return changes

    @staticmethod
    def _now():
        words = [word for word in sys.argv if type(word) is str] if isinstance(sys.argv, list) else []
        return {"folder": os.getcwd(), "argv": words,
                "environment": {name: value for name, value in os.environ.items() if not name.startswith(_OF_FRAMEWORKS)}}


def take(changes):
    """By the solution's process. A folder that is not there is left aside: nobody has carried it over."""
    if "folder" in changes and os.path.isdir(changes["folder"]):
        os.chdir(changes["folder"])
    if "argv" in changes:
        sys.argv[:] = changes["argv"]
    if "environment" in changes:
        os.environ.clear()
        os.environ.update(changes["environment"])
