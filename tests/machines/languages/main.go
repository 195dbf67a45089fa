// Allocates more than it keeps, so that the collector and its threads run.
package main

import "fmt"

func main() {
	kept := make(map[int][]byte)
	for i := 0; i < 300000; i++ {
		kept[i%2000] = make([]byte, 1000)
	}
	done := make(chan int)
	for i := 0; i < 4; i++ {
		go func(n int) { done <- n * len(kept) }(i)
	}
	sum := 0
	for i := 0; i < 4; i++ {
		sum += <-done
	}
	fmt.Println(sum)
}
