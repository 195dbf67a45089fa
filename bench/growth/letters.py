# Growth n; string; 1000..128000: letters counted in a loop
n = int(input())
count = [0] * 26
for letter in input():
    count[ord(letter) - 97] += 1
print(count)
