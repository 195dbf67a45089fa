"""Twin primes below n, by a sieve, a number of times."""
import sys


def twins(n):
    composite = bytearray(n + 1)
    count, last = 0, -9
    for i in range(2, n + 1):
        if composite[i]:
            continue
        if i - last == 2:
            count += 1
        last = i
        for j in range(i * i, n + 1, i):
            composite[j] = 1
    return count


print(sum(twins(int(sys.argv[1]) - turn) for turn in range(int(sys.argv[2]))))
