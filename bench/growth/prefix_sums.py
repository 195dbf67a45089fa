# Growth n; array; 1000..128000: sums of beginnings, in an interpreter
n = int(input())
total, best = 0, 0
for word in input().split():
    total = (total + int(word)) % 1000003
    best = max(best, total)
print(best)
