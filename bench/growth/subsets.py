# Growth 2^n; number; 4,6,8,10,11,12,13,14: by recursion, in an interpreter
def count(n, total):
    if n == 0:
        return total % 7 == 0
    return count(n - 1, total + n) + count(n - 1, total)


print(count(int(input()), 0))
