# Prints an input: how many numbers, up to what, from which seed.
import random
import sys

count, largest, seed = map(int, sys.argv[1:])
random.seed(seed)
print(count)
for _ in range(count):
    print(random.randint(1, largest))
