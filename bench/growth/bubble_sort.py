# Growth n^2; array; 10..1280: in an interpreter
n = int(input())
a = list(map(int, input().split()))
for end in range(n, 1, -1):
    for i in range(1, end):
        if a[i - 1] > a[i]:
            a[i - 1], a[i] = a[i], a[i - 1]
print(a[0])
