# Accepts an input as the statement has it: exit status 42.
import sys

lines = sys.stdin.read().split("\n")
count = int(lines[0])
if not 1 <= count <= 20 or len(lines) != count + 2 or lines[-1] != "":
    sys.exit("the number of lines is wrong")
for line in lines[1:-1]:
    if str(int(line)) != line or not 1 <= int(line) <= 10**10:
        sys.exit("a number is out of its bounds: " + line)
sys.exit(42)
