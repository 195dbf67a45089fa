# Growth n: reads n numbers and adds them up, in an interpreter that takes millions of instructions to start.
import sys

numbers = sys.stdin.buffer.read().split()[1:]
total = 0
for number in numbers:
    total += int(number)
print(total)
