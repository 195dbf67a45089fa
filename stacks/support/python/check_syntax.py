"""The compiler of Python's stacks: says every syntax error in the files that it is given."""
import sys
import warnings

wrong = False
for path in sys.argv[1:]:
    name = path.removeprefix("/box/solution/")
    try:
        with open(path, "rb") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(file.read(), name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        import traceback  # which takes as long to load as all the rest
        wrong = True
        print("".join(traceback.format_exception_only(type(error), error)), end="")
    except RecursionError:
        wrong = True
        print(f"{name}: nested too deeply")
sys.exit(wrong)
