"""The steps of scripts/check-sessions: what people do, by role."""
import re
from dataclasses import dataclass, field

PIPE = 0  # in place of a terminal's columns
NARROW, PLAIN, WIDE = 40, 80, 200


@dataclass
class Step:
    words: list
    shows: tuple = ()  # regular expressions, in the text with all blanks and line breaks as one blank
    hides: tuple = ()
    status: int = 0
    columns: tuple = (PLAIN,)
    environment: dict = field(default_factory=dict)
    files: dict = field(default_factory=dict)  # written before
    input: str = ""
    makes: str = ""  # a file that is there afterwards
    wraps: bool = True
    is_json: bool = False
    may_be_absent: bool = False  # what the machine has not got, and says so


def tally(line, *shows, **others):
    return Step(["tally", *line.split()], shows, **others)


def shell(line, *shows, **others):
    return Step(["sh", "-c", line], shows, **others)


def did_you_mean(name):
    return rf'did you mean "{name}"'


SUM, C = "examples/sum", "examples/evaluation/c"
RIGHT = f"{SUM}/solutions/right.cpp"
JAVA = """public class Squares {
  static int hot(int n) { int sum = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) sum += i ^ j; return sum; }
  public static void main(String[] none) { System.out.println(hot(new java.util.Scanner(System.in).nextInt())); }
}
"""
SLOW = "for i in range(10**9): pass\n"
WRONG_LEAP = '#include "leap.h"\nint is_leap(int year) { return year % 4 == 0; }\n'
COMMANDS = ("judge", "verify", "run", "trace", "exec", "compile", "ingen", "sio-batch", "profile", "verify-counts", "worker", "submit", "evaluate", "serve",
            "metrics-sink", "check-host")

ALL_PASS = r"\b([1-9]\d*) of \1 passed"
TEACHER = [
    tally("evaluate --stacks", "c-assert", "python-unittest", columns=(NARROW, PLAIN, WIDE, PIPE)),
    tally(f"evaluate --stack c-assert --solution {C}/leap.c {C}/leap.h --tests {C}/leap_test.c", ALL_PASS, columns=(NARROW, PLAIN), may_be_absent=True),
    tally(f"evaluate --stack c-assert --solution {C}/leap.c {C}/leap.h --tests {C}/leap_test.c --json", columns=(PIPE,), is_json=True, may_be_absent=True),
    tally(f"evaluate --stack c-assert --solution mine/leap.c {C}/leap.h --tests {C}/leap_test.c", files={"mine/leap.c": WRONG_LEAP}, columns=(NARROW, PLAIN),
          may_be_absent=True),
    tally(f"evaluate --stack c-assert --solution mine/leap.c {C}/leap.h --tests {C}/leap_test.c", files={"mine/leap.c": "int is_leap(int year) { retrun 1; }\n"},
          may_be_absent=True),
    tally("evaluate --stack python-pytest --solution examples/evaluation/python/words.py --tests examples/evaluation/python/test_words.py", ALL_PASS, may_be_absent=True),
    tally("evaluate --stack python-pytest --solution examples/evaluation/python/words.py --tests examples/evaluation/python/test_words.py --style", ALL_PASS, r"style 0 remarks",
          may_be_absent=True),
    tally(f"evaluate --stack c-asert --solution {C}/leap.c", did_you_mean("c-assert"), status=1, columns=(NARROW, PLAIN)),
    tally("evaluate --stack c-assert --solution nowhere.c", "nowhere.c", status=1, may_be_absent=True),
    tally("evaluate nowhere.json", "nowhere.json: ?No such file", status=1),
    tally("evaluate broken.json", "no JSON", files={"broken.json": '{"stack": \n'}, status=1),
    tally("evaluate", "request", status=1),
]

SETTER = [
    tally(f"judge {SUM} {SUM}/solutions -j 2", "right.cpp", "OK", "WA", "TLE", columns=(NARROW,)),
    tally(f"judge {SUM} {RIGHT} {SUM}/solutions/wrong.cpp", "right.cpp", "OK", "WA"),
    tally(f"judge {SUM} {RIGHT}", "OK", columns=(NARROW, PLAIN, WIDE, PIPE)),
    tally(f"judge {SUM} {RIGHT}", "OK", environment={"NO_COLOR": "1"}),
    tally(f"judge {SUM} {RIGHT}", "OK", environment={"TERM": "dumb"}),
    tally(f"judge {SUM} {RIGHT} --json", columns=(PIPE,), is_json=True),
    tally(f"judge {SUM} {RIGHT} --report tests.csv", columns=(PLAIN, NARROW), makes="tests.csv"),
    tally(f"judge {SUM} {RIGHT} --html page.html", makes="page.html"),
    tally(f"judge {SUM} {RIGHT} --expect OK", "OK"),
    tally(f"judge {SUM} {RIGHT} --expect WA", status=3),
    tally(f"judge {SUM} loop.py --time 300ms --stop-on-fail", "TLE", files={"loop.py": SLOW}, columns=(NARROW, PLAIN), may_be_absent=True),
    tally(f"judge {SUM} broken.c", "CE", "error", files={"broken.c": "int main(void) { retrun 0; }\n"}, columns=(NARROW, PLAIN)),
    tally(f"judge --virtual {SUM} {RIGHT}", "OK"),
    tally("judge examples/packages/kattis/divisors examples/packages/kattis/divisors/submissions/accepted", "OK", columns=(NARROW, PLAIN)),
    tally("judge examples/packages/polygon/divisors examples/packages/polygon/divisors/solutions"),
    tally("judge examples/packages/cms/divisors examples/packages/cms/divisors/sol", columns=(NARROW, PLAIN)),
    tally("verify examples/packages/kattis/divisors --no-counts", columns=(NARROW,)),
    tally("judge problem right.py", "OK", columns=(NARROW, PLAIN), files={
        "problem/1.in": "2 3\n", "problem/1.out": "5\n", "problem/2.in": "1 1\n", "problem/2.out": "2\n", "problem/tally.yml": "time_limit: 2s\nmemory_limit: 64M\n",
        "right.py": "print(sum(map(int, input().split())))\n"}, may_be_absent=True),
    tally("judge problem right.py", "tally.yml:2:1: memroy_limit", did_you_mean("memory_limit"), files={"problem/tally.yml": "time_limit: 2s\nmemroy_limit: 64M\n"}, status=1, columns=(NARROW, PLAIN)),
    tally("judge problem right.py", "tally.yml", files={"problem/tally.yml": "time_limit: soon\n"}, status=1, columns=(NARROW, PLAIN)),
    tally("judge empty right.py", "empty", files={"empty/notes.txt": "no tests\n"}, status=1, columns=(NARROW, PLAIN)),
    tally(f"compile source_file={RIGHT} out_file=right", '"result_code": "OK"', columns=(PIPE,), is_json=True, makes="right"),
]

ENGINEER = [
    tally("run -- /bin/echo hello", "hello", "OK", columns=(NARROW, PLAIN, WIDE, PIPE)),
    shell("gcc -static -o spin spin.c && tally run --time 200ms -- ./spin", "TLE", columns=(NARROW, PLAIN), files={"spin.c": "int main(void) { for (;;) __asm__ volatile(\"\"); }\n"}, may_be_absent=True),
    tally("run --counter translator -- /bin/true", "instructions", columns=(NARROW, PLAIN)),
    tally("run --json -- /bin/true", columns=(PIPE,), is_json=True),
    tally("run --exit-code -- /bin/false", status=1, columns=(NARROW,)),
    tally("run -- /bin/false", "RE runtime error 1", columns=(NARROW, PLAIN)),
    tally("run -q -- /bin/true", hides=("OK",)),
    tally("trace -- /bin/ls /", "resource opens calls read written time", columns=(PLAIN, WIDE, PIPE)),
    tally("trace -- /bin/ls /", "resource time file", hides=("opens",), columns=(NARROW,)),
    tally("trace --events -- /bin/ls /", r"0\.000000 s( thread 0)? process\.begin", columns=(NARROW, PLAIN)),
    tally("trace --html trace.html -q -- /bin/true", makes="trace.html"),
    tally("profile examples/profile/pairs.c -g array --sizes 20,40,80,160", "growth", "CPU time", columns=(NARROW, PLAIN, WIDE, PIPE)),
    tally("profile examples/profile/pairs.c -g array --sizes 20,40,80,160 --debug", "hotspots at n = 160", "pairs.c:", columns=(NARROW, PLAIN, WIDE)),
    tally("profile examples/profile/pairs.c -g array --sizes 20,40,80,160", environment={"NO_COLOR": "1"}),
    tally("profile examples/profile/pairs.c -g array --sizes 20,40,80,160", environment={"TERM": "dumb", "LC_ALL": "C"}),
    tally("profile examples/profile/sum.py -g array --sizes 10,20 --debug", r"\[python3\]", r"sum.py:\d", columns=(NARROW, PLAIN), may_be_absent=True),
    tally("profile Squares.java --sizes 3000 --no-corner-cases --timeout 60s --debug", r"Squares\.hot\(int\)", "libjvm", "none inclusive", files={"Squares.java": JAVA},
          columns=(NARROW, PLAIN), may_be_absent=True),
    tally("profile examples/profile/pairs.c -g array --sizes 20,40,80,160 --html page.html", "page: page.html", columns=(NARROW,), makes="page.html"),
    tally("profile examples/profile/pairs.c -g array --sizes 20,40,80,160 --json", columns=(PIPE,), is_json=True),
    tally("profile examples/profile/pairs.c -g array --compare examples/profile/blocks.c --sizes 20,40,80,160", "growth 2", columns=(NARROW, PLAIN)),
    tally("profile examples/profile/pairs.c -g array --sizes 20,40,80,160 --expect n", "NOT MET", status=3, columns=(NARROW,)),
    tally("profile fails.c --sizes 10,20,40,80", "exit code 3", "out of luck", columns=(NARROW, PLAIN),
          files={"fails.c": '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); if (n > 30) { fputs("out of luck\\n", stderr); return 3; } }\n'}),
    tally("profile examples/profile/pairs.c -g array --sizes 20,40 --log-level DEBUG", "tally: debug: n = 40, run 1: OK", columns=(PIPE,)),
    tally("check-host", "This machine", "Compilers", columns=(NARROW, PLAIN, WIDE)),
    tally("check-host --json", columns=(PIPE,), is_json=True),
]

MISTAKES = [
    tally("", "expected a command", status=1, columns=(NARROW, PLAIN)),
    tally("--version", r"tally \d", columns=(NARROW,)),
    tally("--help", *COMMANDS, columns=(NARROW, PLAIN, WIDE, PIPE)),
    tally("help judge", "Usage: tally judge", columns=(NARROW, PLAIN, WIDE, PIPE)),
    tally("help nosuch", "no command", status=1),
    tally("juge examples/sum", did_you_mean("judge"), status=1, columns=(NARROW, PLAIN)),
    tally("judge --tme 1s examples/sum x", "--tme", "--time", status=1, columns=(NARROW, PLAIN)),
    tally(f"judge nowhere {RIGHT}", "nowhere", status=1, columns=(NARROW, PLAIN)),
    tally(f"judge {SUM} nowhere.cpp", "nowhere.cpp", status=1, columns=(NARROW, PLAIN)),
    tally(f"judge {SUM} {RIGHT} --time 1parsec", "--time", "parsec", status=1, columns=(NARROW, PLAIN)),
    tally(f"judge {SUM} {RIGHT} -c cpp71", "did you mean", status=1, columns=(NARROW, PLAIN)),
    tally(f"judge {SUM} notes.xyz", "notes.xyz", files={"notes.xyz": "?"}, status=1, columns=(NARROW, PLAIN)),
    tally("run", "command", status=1),
    tally("run -- ./nowhere", "nowhere", status=1, columns=(NARROW, PLAIN)),
    tally("run --memory lots -- /bin/true", "--memory", status=1, columns=(NARROW, PLAIN)),
    tally("profile nowhere.c", "nowhere.c: no such file", status=1),
    tally("profile examples/profile/pairs.c --sizes ten", "ten", "is no size", status=1, columns=(NARROW, PLAIN)),
    tally("profile examples/profile/pairs.c --expect n^9", "--expect", status=1, columns=(NARROW, PLAIN)),
    tally("profile examples/profile/pairs.c --html /nowhere/page.html", "--html", status=1, columns=(NARROW, PLAIN)),
    tally("compile source_fil=x.c", "source_fil", did_you_mean("source_file"), status=1, wraps=False),  # an environ
    tally("trace --show nowhere.timeline", "nowhere.timeline", status=1),
    tally("submit nowhere.json --host 127.0.0.1", "nowhere.json", status=1),
    tally("worker --config nowhere.yaml", "nowhere.yaml", status=1),
    *[tally(f"{command} --help", f"Usage: tally[ -]{re.escape(command)}", columns=(NARROW, PLAIN)) for command in COMMANDS],
]

# The longest first.
ROLES = {"setter": SETTER, "engineer": ENGINEER, "teacher": TEACHER, "mistakes": MISTAKES}
