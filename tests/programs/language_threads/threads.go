// Four goroutines take numbers off a channel and put what they make of them into a list, in the order in which they happen to.
package main

import (
	"fmt"
	"sync"
)

func work(seed int64) int64 {
	x := seed
	for i := 0; i < 2000; i++ {
		x = (x*1103515245 + 12345) % 2147483648
	}
	return x
}

func main() {
	queue := make(chan int64, 8)
	var mutex sync.Mutex
	var group sync.WaitGroup
	var total int64
	order := []byte{}
	for me := 0; me < 4; me++ {
		group.Add(1)
		go func(me int) {
			defer group.Done()
			for n := range queue {
				made := work(n)
				mutex.Lock()
				total += made
				order = append(order, byte('a'+me))
				mutex.Unlock()
			}
		}(me)
	}
	for n := int64(0); n < 100; n++ {
		queue <- n
	}
	close(queue)
	group.Wait()
	fmt.Println(total, len(order), string(order))
}
