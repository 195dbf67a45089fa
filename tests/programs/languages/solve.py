import sys

n, *a = map(int, sys.stdin.read().split())
seen = {x: True for x in a}
a.sort()
print(sum(x * (i % 7) for i, x in enumerate(a)), len(seen), a[n // 2])
