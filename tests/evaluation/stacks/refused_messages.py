"""What the tests' side of the talk (stacks/support/python/tests_side.py) makes of messages that no honest solution's process writes: each is
refused, and makes nothing. Run with the folder of the stacks' support; says what was taken."""
import json
import os
import sys
import tempfile
import types

sys.path.insert(0, sys.argv[1])
import carried_files  # noqa: E402
from tests_side import SolutionEnded, TestsSide  # noqa: E402

given = types.ModuleType("given")
exec("ANSWER = 41\nclass Box:\n    def is_right(self):\n        return False\n", given.__dict__)
sys.modules["given"] = given

VALUES = [
    ["object", 7, 99, None], ["object", [], 0, None], ["object", 7], ["&", 1], ["&", -1], ["&", True], ["&", []], ["builtin", "eval"], ["builtin", "type"],
    ["builtin", []], ["module", "os"], ["module", "tests"], ["module", []], ["lent", 0], ["lent", -1], ["lent", True], ["own", ["given", "os"]],
    ["own", ["os", "PathLike"]], ["own", ["given", "__class__"]], ["own", ["given", "Box.is_right"]], ["own", ["given", "Box.__class__"]], ["own", "given"],
    ["member", ["given", "Box"], "x"], {"a": 1}, [], [[]], [1], ["int", "zz"], ["int", 42], ["int"], ["float", "x"], ["float", 42], ["float", "nan", 1],
    ["complex", 1, 2], ["Decimal", "x"], ["Decimal", 1], ["Fraction", 1, 0], ["Fraction", "1", 2], ["date", 0, 0, 0], ["date", 2024, 1], ["datetime", 1],
    ["tuple", ["eval", "1"]], ["frozenset", ["&", 0]], ["bytes", "x"], ["range", 1, 2, 0], ["range", 1, 2], ["slice", 1], ["eval", "1"], ["__import__", "os"],
    ["error", "eval", [], "", 5, {}, []], ["error", "ValueError", [], 5, 5, {}, []], ["error", "ValueError", [], "", "5", {}, []],
    ["error", ["given", "Box"], [], "", 5, {}, []], ["error", 3, [], "", 5, {}, []], ["class", 3], ["class", []], ["class", 901, 901], None]
CONTENTS = [{}, [["eval", []]], [["list", 42]], [["list"]], [["list", [], []]], [["dict", [1]]], [["dict", [["&", 0], 1]]], [["set", [["&", 0]]]],
            [["bytearray", ["x"]]], [["deque", 5]], [["defaultdict", []]], [["Counter", [1]]], [None], [[["own", "given", "Box"], ["is_right", 1]]],
            [[["own", "given", "Box"], [5, 1]]], [[["own", "os", "PathLike"], []]], [[["own", "given"], []]]]
MESSAGES = [
    [], ["value"], ["value", 42], ["other", 42, [], None], [42], [["value"], 42, [], None], {"value": 42}, 42, "value", None, ["value", 42, [], [1]],
    ["value", 42, [], {}], ["value", 42, [], "notes"], ["value", 42, [], ["", "", [42], [], []]], ["value", 42, [], ["", "", [], [42], []]],
    ["value", 42, [], ["", "", [], [], [42]]], ["error", 42, [], None], ["error", ["builtin", "ValueError"], [], None],
    ["call", ["lent", 0], "", [], {}, [], False, None], ["call", 42, [], [], {}, [], False, None], ["call", 42], ["call", 42, "", {}, {}, [], False, None],
    ["call", 42, "", [], {}, [], [["list", [1]]], None], ["call", 42, "", [], {}, [], None]]
BYTES = [b"\0\0\0\0", b"\0\0\0\2[]", b"\xff\xff\xff\xff[", b"\0\0\0\1[", b"\0\0\0\5[NaN]", b"\0\0\0\x0a[Infinity]", b"\0\0\0\6[\"\xff\xff\"]",
         b"\0\0\x27\x10" + b"[" * 10000, b"\0\0\0\x10" + b"\0" * 16, b"\0\0\0\x0e[\"value\",42,[]"]
CLASSES = [
    [901, "A\nB", "x", [], [], False, False], [901, "A\0B", "x", [], [], False, False], [901, "A" * 5000, "x", [], [], False, False],
    [[], "A", "x", [], [], False, False], [901, 5, "x", [], [], False, False], [901, "A", [], [], [], False, False], [901],
    [901, "A", "x", [901], [], False, False], [901, "A", "x", ["int", "str"], [], False, False], [901, "A", "x", [], [[]], False, False],
    [901, "A", "x", 5, [], False, False]]
# Each with an object of it.
CLASSES_OF_NOTHING = [
    [901, "A", "x", ["int"], [], False, False], [901, "A", "x", ["ValueError"], [], False, False], [901, "SkipTest", "unittest.case", ["Exception"], [], False, False],
    [901, "JSONDecodeError", "json.decoder", ["ValueError"], [], False, False]]
FILES = ["../x", "/etc/x", "work/given.py", "work/x.so", "work/__pycache__/x.pyc", "work/./x", "work//x", "work/..", "", "work/link/x"]


def refused(data):
    """A process that writes this in the place of an answer, and ends."""
    answers, calls, notices = os.pipe(), os.pipe(), os.pipe()
    for pipe, text in ((answers, data), (notices, b"ended\n")):
        os.write(pipe[1], text)
    fds = {"answers": answers[0], "calls": calls[1], "notices": notices[0]}
    side = TestsSide(fds, {"solution": False}, {"tests"}, {"given"}, lambda path: path.endswith((".py", ".so", ".pyc")), lambda name: False, set())
    try:
        value = side.ask("get", None, "x")
    except SolutionEnded as error:
        return str(error) != "ended" and side.ended == str(error)
    except Exception as error:
        value = error
    finally:
        for fd in (*answers, *calls, *notices):
            os.close(fd)
    print("taken:", data[:200], "as", repr(value))
    return False


def framed(message):
    text = json.dumps(message).encode()
    return len(text).to_bytes(4, "big") + text


def main():
    with tempfile.TemporaryDirectory() as folder:
        carried_files.TOP = os.path.join(folder, "top")
        os.makedirs(os.path.join(carried_files.TOP, "work"))
        os.makedirs(os.path.join(folder, "outside"))
        os.symlink("../../outside", os.path.join(carried_files.TOP, "work", "link"))
        all_refused = [refused(framed(["value", value, [["list", []]], None])) for value in VALUES if value is not None]
        all_refused += [refused(framed(["value", 42, contents, None])) for contents in CONTENTS]
        all_refused += [refused(framed(message)) for message in MESSAGES]
        all_refused += [refused(data) for data in BYTES]
        all_refused += [refused(framed(["value", 42, [], ["", "", [description], [], []]])) for description in CLASSES]
        all_refused += [refused(framed(["value", ["object", 900, 901, None], [], ["", "", [description], [], []]])) for description in CLASSES_OF_NOTHING]
        before = sorted(os.walk(folder))
        for path in FILES:
            files = carried_files.CarriedFiles(lambda path: path.endswith((".py", ".so", ".pyc")))
            files.write([[path, "NDI="]])
            if sorted(os.walk(folder)) != before:
                print("written:", path)
                all_refused.append(False)
        print(f"{len(all_refused) + len(FILES)} messages")
    sys.exit(not all(all_refused))


main()
