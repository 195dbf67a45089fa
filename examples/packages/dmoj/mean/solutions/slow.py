# Too slow: counts to a large number first.
for _ in range(10**9):
    pass
print(0)
