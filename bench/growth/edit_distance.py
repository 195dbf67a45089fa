# Growth n^2; string; 20,30,50,80,120,180,270,400: a text and its reverse, in an interpreter
n = int(input())
text = input()
row = list(range(n + 1))
for i, one in enumerate(text):
    before, row[0] = row[0], i + 1
    for j, other in enumerate(reversed(text)):
        before, row[j + 1] = row[j + 1], min(row[j + 1] + 1, row[j] + 1, before + (one != other))
print(row[n])
