# Growth n log n: a heap, written out, of the n numbers of the input.
import sys

numbers = [int(word) for word in sys.stdin.buffer.read().split()[1:]]


def sift(end, at):
    value = numbers[at]
    while 2 * at + 1 < end:
        child = 2 * at + 1
        if child + 1 < end and numbers[child + 1] > numbers[child]:
            child += 1
        if numbers[child] <= value:
            break
        numbers[at] = numbers[child]
        at = child
    numbers[at] = value


for start in range(len(numbers) // 2 - 1, -1, -1):
    sift(len(numbers), start)
for end in range(len(numbers) - 1, 0, -1):
    numbers[0], numbers[end] = numbers[end], numbers[0]
    sift(end, 0)
print(numbers[0] if numbers else "none")
