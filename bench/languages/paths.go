// Shortest paths from vertex 0 of a random graph of n vertices, four edges each, a number of times; and how often each length ends in
// which digits, counted in a map.
package main

import (
	"container/heap"
	"fmt"
	"os"
	"strconv"
)

var state = 1

func random(below int) int {
	state = state * 16807 % 2147483647
	return state % below
}

type queue []int

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i] < q[j] }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(int)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

const far = 1 << 60

func lengths(n int) []int {
	to, weight := make([]int, 4*n), make([]int, 4*n)
	for i := range to {
		to[i] = random(n)
		weight[i] = 1 + random(100)
	}
	length := make([]int, n)
	for i := range length {
		length[i] = far
	}
	length[0] = 0
	q := &queue{0}
	for q.Len() > 0 {
		next := heap.Pop(q).(int)
		at := next % n
		if next/n > length[at] {
			continue
		}
		for i := 4 * at; i < 4*at+4; i++ {
			there := length[at] + weight[i]
			if there >= length[to[i]] {
				continue
			}
			length[to[i]] = there
			heap.Push(q, there*n+to[i])
		}
	}
	return length
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	rounds, _ := strconv.Atoi(os.Args[2])
	sum := 0
	endings := map[string]int{}
	for round := 0; round < rounds; round++ {
		for _, length := range lengths(n) {
			if length == far {
				continue
			}
			sum += length
			endings["e"+strconv.Itoa(length%1000)]++
		}
	}
	fmt.Println(sum, len(endings), endings["e300"])
}
