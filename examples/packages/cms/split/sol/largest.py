# Right as well: the two divisors that are nearest to each other.
import math

number = int(input())
divisor = next(d for d in range(math.isqrt(number), 0, -1) if number % d == 0)
print("prime" if divisor == 1 else f"{number // divisor} {divisor}")
