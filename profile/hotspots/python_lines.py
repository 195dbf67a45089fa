# Where the instructions of a Python program go: python_lines.py FD COUNTED PROGRAM runs PROGRAM with a mark before each statement, and
# writes to the descriptor FD what each line and each function cost, its own and with all they called (python_costs.h).
#
# The processor's time is that of Tally's virtual CPU, which is instructions; a mark reads it when it begins and when it ends, so what
# marks cost themselves is in no line but for the call. That is the same for each, and is taken off: so much that all lines together
# cost what the program without marks did after the interpreter's start (COUNTED instructions), and at least what marks cost that have
# nothing between them. Statements stay the interpreter's own, and so does what it makes of them: sys.settrace would have it look at
# each byte code, at ten times the cost of most.
# What a generator does counts for its lines and not for who asks it. Threads that take turns mix their lines.
from time import process_time_ns as clock

STARTED = clock()
import ast  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
import types  # noqa: E402


class Costs:
    """A cost is a complex number: nanoseconds, and how many marks they have in them."""

    def __init__(self):
        self.own, self.whole, self.active = {}, {}, {}
        self.stack, self.line, self.function = [], 0, "<module>"
        self.total = 0j
        self.at = clock()

    def add(self, centre, cost):
        self.own[centre] = self.own.get(centre, 0) + cost
        if not self.active.get(centre):
            self.whole[centre] = self.whole.get(centre, 0) + cost

    def settle(self, now):
        cost = complex(now - self.at, 1)
        self.total += cost
        self.add(self.line, cost)
        self.add(self.function, cost)

    def mark(self, line):
        self.settle(clock())
        self.line = line
        self.at = clock()

    def enter(self, function, line):
        self.settle(clock())
        callers = (self.line, self.function)
        for centre in callers:
            self.active[centre] = self.active.get(centre, 0) + 1
        self.stack.append((callers, self.total))
        self.line, self.function = line, function
        self.at = clock()

    def leave(self):
        self.settle(clock())
        callers, before = self.stack.pop()
        for centre in callers:
            self.active[centre] -= 1
            if not self.active[centre]:
                self.whole[centre] = self.whole.get(centre, 0) + self.total - before
        self.line, self.function = callers
        self.at = clock()


class Marks(ast.NodeTransformer):
    """Puts the marks in. Names are those of the program's globals; `__future__` and documentation stay first."""

    def __init__(self):
        self.names = []

    @staticmethod
    def call(name, node, *arguments):
        values = [ast.Constant(value) for value in arguments]
        return ast.copy_location(ast.Expr(ast.Call(ast.Name(f"_tally_{name}_", ast.Load()), values, [])), node)

    def marked(self, statements):
        out = []
        for statement in statements:
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            if not is_text and not is_future and not isinstance(statement, (ast.Global, ast.Nonlocal)):
                out.append(self.call("mark", statement, statement.lineno))
            out.append(self.visit(statement))
        return out

    def generic_visit(self, node):
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                setattr(node, field, self.marked(statements))
        for part in getattr(node, "handlers", []) + getattr(node, "cases", []):
            self.generic_visit(part)
        if isinstance(node, (ast.For, ast.While)):
            node.body.append(self.call("mark", node, node.lineno))  # the next round is the head's
        return node

    def visit_ClassDef(self, node):
        self.names.append(node.name)
        self.generic_visit(node)
        self.names.pop()
        return node

    def visit_FunctionDef(self, node):
        self.names.append(node.name)
        yields = any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in own_parts(node))
        self.generic_visit(node)
        if not yields:
            first = 1 if ast.get_docstring(node, clean=False) is not None else 0
            body = ast.Try(node.body[first:] or [ast.Pass()], [], [], [self.call("leave", node)])
            enter = self.call("enter", node, ".".join(self.names), node.lineno)
            node.body = node.body[:first] + [enter, ast.copy_location(body, node)]
        self.names.pop()
        return node


def own_parts(function):
    """What is in it but not in a function within it."""
    waiting = list(function.body)
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(part))


def least_call(costs):
    """What marks cost that have nothing between them, each; the least of several times, for the interpreter learns."""
    marks = 64
    names = {"_tally_mark_": costs.mark}
    exec("def marks():\n" + " _tally_mark_(0)\n" * marks, names)
    least = float("inf")
    for _ in range(50):
        costs.mark(0)
        before = costs.total
        names["marks"]()
        least = min(least, (costs.total - before).real)
    return least / marks


def written(costs, counted, least):
    call = max(least, (costs.total.real - (counted / 2 - STARTED)) / max(1, costs.total.imag))

    def instructions(cost):
        return max(0, round(2 * (cost.real - call * cost.imag)))

    lines = ["tally-python-lines 1"]
    for centre, whole in costs.whole.items():
        kind = "line" if isinstance(centre, int) else "function"
        own = instructions(costs.own.get(centre, 0j))
        if centre != 0:
            lines.append(f"{kind} {own} {max(own, instructions(whole))} {centre}")
    return "\n".join(lines + ["end", ""]).encode(errors="replace")


def main(descriptor, counted, path):
    with open(path, "rb") as file:
        tree = Marks().visit(ast.parse(file.read(), path))
    code = compile(ast.fix_missing_locations(tree), path, "exec")
    costs = Costs()
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=__builtins__, _tally_mark_=costs.mark, _tally_enter_=costs.enter, _tally_leave_=costs.leave)
    sys.modules["__main__"] = module
    sys.argv = [path]
    least = least_call(costs)
    costs.own, costs.whole, costs.total = {}, {}, 0j
    costs.at = clock()
    try:
        exec(code, module.__dict__)
    finally:
        costs.settle(clock())
        text = written(costs, counted, least)
        while text:
            text = text[os.write(descriptor, text):]


main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
