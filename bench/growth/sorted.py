# Growth n log n; array; 1000..128000: the interpreter's sort
n = int(input())
numbers = sorted(map(int, input().split()))
print(numbers[0], numbers[n // 2])
