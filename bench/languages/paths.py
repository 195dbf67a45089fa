"""Shortest paths from vertex 0 of a random graph of n vertices, four edges each, a number of times; and how often each length ends in
which digits, counted in a dictionary."""
import heapq
import sys

state = 1


def random(below):
    global state
    state = state * 16807 % 2147483647
    return state % below


def lengths(n):
    edges = [[(random(n), 1 + random(100)) for _ in range(4)] for _ in range(n)]
    length = [None] * n
    length[0] = 0
    queue = [0]
    while queue:
        so_far, at = divmod(heapq.heappop(queue), n)
        if so_far > length[at]:
            continue
        for to, weight in edges[at]:
            there = so_far + weight
            if length[to] is None or there < length[to]:
                length[to] = there
                heapq.heappush(queue, there * n + to)
    return length


total = 0
endings = {}
for turn in range(int(sys.argv[2])):
    for found in lengths(int(sys.argv[1])):
        if found is None:
            continue
        total += found
        key = "e" + str(found % 1000)
        endings[key] = endings.get(key, 0) + 1
print(total, len(endings), endings.get("e300"))
