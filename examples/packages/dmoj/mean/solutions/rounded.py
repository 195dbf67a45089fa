# Wrong: two digits are not six.
numbers = list(map(float, input().split()))
print("%.2f" % (sum(numbers) / len(numbers)))
