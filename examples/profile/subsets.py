# Growth 2^n: how many subsets of the first n squares add up to half of their sum, by trying each.
n = int(input())
squares = [(i + 1) * (i + 1) for i in range(n)]
half = sum(squares) // 2


def count(at, rest):
    if at == n:
        return 1 if rest == 0 else 0
    return count(at + 1, rest) + count(at + 1, rest - squares[at])


print(count(0, half))
