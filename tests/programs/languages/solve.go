package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(in, &n)
	a := make([]int, n)
	seen := map[int]bool{}
	for i := range a {
		fmt.Fscan(in, &a[i])
		seen[a[i]] = true
	}
	sort.Ints(a)
	sum := 0
	for i, x := range a {
		sum += x * (i % 7)
	}
	different := make(chan int)
	go func() { different <- len(seen) }()
	fmt.Println(sum, <-different, a[n/2])
}
