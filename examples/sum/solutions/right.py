# Right, in Python.
import sys

numbers = sys.stdin.read().split()
print(sum(map(int, numbers[1:])))
