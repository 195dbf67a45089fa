#include "packages/dmoj_python.h"

#include <fmt/format.h>

#include "base/base64.h"

namespace tally {
namespace {

// Status 0 is right, 1 wrong, 3 a failure of the module's, 7 with "points N" a part, in percent. What the module prints is no verdict.
constexpr const char* kJudge = R"py(import base64, json, os, sys, traceback, types

verdict = os.fdopen(os.dup(2), "w")

def module(name, **what):
    made = types.ModuleType(name)
    made.__dict__.update(what)
    sys.modules[name] = made
    return made

class CheckerResult:
    def __init__(self, passed, points, feedback="", extended_feedback=""):
        self.passed, self.points, self.feedback, self.extended_feedback = passed, points, feedback, extended_feedback

class InternalError(Exception):
    pass

class WrongAnswer(Exception):
    pass

def utf8bytes(text):
    return text.encode("utf-8") if isinstance(text, str) else text

def utf8text(text, errors="strict"):
    return text.decode("utf-8", errors) if isinstance(text, bytes) else text

class StandardGrader:
    pass

class InteractiveGrader(StandardGrader):
    pass

class Interactor:
    def __init__(self):
        self.source, self.sink, self.tokens = sys.stdin.buffer, sys.stdout.buffer, []
    def read(self):
        return self.source.read()
    def readln(self, strip_newline=True):
        line = self.source.readline()
        if strip_newline and line.endswith(b"\n"):
            line = line[:-1]
        return line
    def readtoken(self, delim=None):
        while not self.tokens:
            line = self.source.readline()
            if not line:
                raise WrongAnswer("unexpected end of file")
            self.tokens = [one for one in line.rstrip(b"\r\n").split(utf8bytes(delim)) if one or delim is not None]
        return self.tokens.pop(0)
    def number(self, kind, what, low, high, delim):
        token = self.readtoken(delim)
        try:
            value = kind(token)
        except ValueError:
            raise WrongAnswer("expected %s, got %r" % (what, utf8text(token[:40], "replace"))) from None
        if not low <= value <= high:
            raise WrongAnswer("expected %s in range [%s, %s], got %s" % (what, low, high, value))
        return value
    def readint(self, lo=float("-inf"), hi=float("inf"), delim=None):
        return self.number(int, "int", lo, hi, delim)
    def readfloat(self, lo=float("-inf"), hi=float("inf"), delim=None):
        return self.number(float, "float", lo, hi, delim)
    def write(self, value):
        self.sink.write(value if isinstance(value, bytes) else utf8bytes(str(value)))
        self.sink.flush()
    def writeln(self, value):
        self.write((value if isinstance(value, bytes) else utf8bytes(str(value))) + b"\n")
    def close(self):
        self.sink.close()

class Case:
    def __init__(self, given, answer, points):
        self.points, self.position, self.given, self.answer = points, 1, given, answer
    def input_data(self):
        return self.given
    def output_data(self):
        return self.answer

module("dmoj")
module("dmoj.result", CheckerResult=CheckerResult)
module("dmoj.error", InternalError=InternalError)
module("dmoj.utils")
module("dmoj.utils.unicode", utf8bytes=utf8bytes, utf8text=utf8text)
module("dmoj.graders", StandardGrader=StandardGrader, InteractiveGrader=InteractiveGrader)
module("dmoj.graders.standard", StandardGrader=StandardGrader)
module("dmoj.graders.interactive", InteractiveGrader=InteractiveGrader, Interactor=Interactor, WrongAnswer=WrongAnswer)

def end(status, words=""):
    words = utf8text(words or "", "replace")
    if isinstance(words, str) and words:
        verdict.write(words.splitlines()[0] + "\n")
    verdict.flush()
    os._exit(status)

def tell(result, points, words=""):
    if not isinstance(result, CheckerResult):
        end(0 if result else 1, words)
    words = result.feedback or words
    if not result.passed:
        end(1, words)
    if result.points is None or result.points >= points:
        end(0, words)
    end(7, "points %.6f %s" % (100.0 * result.points / points if points else 0, utf8text(words or "")))

def contents(path):
    with open(path, "rb") as file:
        return file.read()
)py";

constexpr const char* kCheck = R"py(
def run(made):
    points = float(sys.argv[4])
    given, output, answer = (contents(path) for path in sys.argv[1:4])
    tell(made.check(output, answer, judge_input=given, point_value=points, submission_source=b"", submission_language="", binary_data=False,
                    execution_time=0, problem_id="", case_position=0, batch=0, result=None, **json.loads(sys.argv[5])), points)
)py";

constexpr const char* kGrade = R"py(
def run(made):
    points = float(sys.argv[4])
    if not issubclass(made.Grader, InteractiveGrader):
        end(3, "only graders that are an InteractiveGrader are run")
    grader, interactor = made.Grader.__new__(made.Grader), Interactor()
    try:
        result = grader.interact(Case(contents(sys.argv[1]), contents(sys.argv[3]), points), interactor)
        interactor.close()
    except WrongAnswer as wrong:
        tell(False, points, str(wrong))
    except OSError:
        tell(False, points, "the solution ended early")
    tell(result, points)
)py";

// {0} is the module's text, {1} its name.
constexpr const char* kRun = R"py(
made = module("module")
try:
    exec(compile(base64.b64decode("{0}"), "{1}", "exec"), made.__dict__)
    run(made)
except BaseException as failure:  # one that calls sys.exit has said nothing
    lines = [frame.lineno for frame in traceback.extract_tb(failure.__traceback__) if frame.filename == "{1}"]
    if isinstance(failure, SyntaxError) and failure.filename == "{1}":
        lines.append(failure.lineno)
    end(3, "{1}: %s%s: %s" % ("line %s: " % lines[-1] if lines else "", type(failure).__name__, failure))
)py";

}  // namespace

std::string ProgramOfDmojModule(DmojModule kind, const std::string& name, const std::string& source) {
  return std::string(kJudge) + (kind == DmojModule::kChecker ? kCheck : kGrade) + fmt::format(fmt::runtime(kRun), EncodeBase64(source), name);
}

}  // namespace tally
