"""Once on a machine: the runner in /prepared/python, compiled. To compile its sources takes a fifth of what pytest takes to load."""
import compileall
import py_compile
import shutil
import sys

FROM, TO = "/tally/python", "/prepared/python"

shutil.copytree(FROM, TO, ignore=shutil.ignore_patterns("__pycache__"))
# Nobody changes them here, so nobody need ask whether they are as they were.
sys.exit(not compileall.compile_dir(TO, quiet=1, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH))
