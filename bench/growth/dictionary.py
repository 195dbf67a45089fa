# Growth n; array; 500..64000: counting in a dictionary
n = int(input())
count = {}
for word in input().split():
    count[word] = count.get(word, 0) + 1
print(len(count), max(count.values()))
