# Growth n log n; array; 500..32000,50000: pushes and pops, in an interpreter
n = int(input())
heap = []
for a in map(int, input().split()):
    at = len(heap)
    heap.append(a)
    while at > 0 and heap[(at - 1) // 2] > a:
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = a
total = 0
while heap:
    total = total * 31 % 1000003 + heap[0]
    last = heap.pop()
    if not heap:
        break
    at, size = 0, len(heap)
    while (child := 2 * at + 1) < size:
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if last <= heap[child]:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = last
print(total)
