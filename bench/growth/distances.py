# Growth n^3; number; 4,6,8,12,16,24,32,48: shortest ways between all pairs, in an interpreter
n = int(input())
d = [[(i * 7 + j * 13) % 50 + 1 for j in range(n)] for i in range(n)]
for k in range(n):
    for i in range(n):
        for j in range(n):
            if d[i][k] + d[k][j] < d[i][j]:
                d[i][j] = d[i][k] + d[k][j]
print(sum(map(sum, d)))
