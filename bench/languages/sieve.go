// Twin primes below n, by a sieve, argv[2] times.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func twins(n int) int {
	composite := make([]bool, n+1)
	twins, last := 0, -9
	for i := 2; i <= n; i++ {
		if composite[i] {
			continue
		}
		if i-last == 2 {
			twins++
		}
		last = i
		for j := i * i; j <= n; j += i {
			composite[j] = true
		}
	}
	return twins
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	rounds, _ := strconv.Atoi(os.Args[2])
	sum := 0
	for round := 0; round < rounds; round++ {
		sum += twins(n - round)
	}
	fmt.Println(sum)
}
