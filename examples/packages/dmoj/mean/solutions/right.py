# Right.
numbers = list(map(float, input().split()))
print(sum(numbers) / len(numbers))
