# Crashes: nobody gives it a second line.
numbers = list(map(float, input().split()))
input()
print(sum(numbers))
