// samples: CPU-bound work under a CPU profile while tracing, so that the trace
// holds samples. Run with GODEBUG=traceallocfree=1 it holds the experimental
// batches of the allocator as well.
package main

import (
	"flag"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"time"
)

var (
	out   = flag.String("o", "out.trace", "trace file to write")
	dur   = flag.Duration("dur", 200*time.Millisecond, "stop tracing after this long")
	procs = flag.Int("procs", 2, "GOMAXPROCS while tracing")
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// collatz is a loop without calls that the compiler cannot fold.
func collatz(n uint64) (steps int) {
	for n != 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		steps++
	}
	return steps
}

func worker(first uint64, stop <-chan struct{}, results chan<- int) {
	longest := 0
	for n := first; ; n++ {
		if steps := collatz(n); steps > longest {
			longest = steps
		}
		if n%4096 != 0 {
			continue
		}
		select {
		case <-stop:
			results <- longest
			return
		default:
		}
	}
}

func main() {
	flag.Parse()
	runtime.GOMAXPROCS(*procs)
	f, err := os.Create(*out)
	check(err)
	check(trace.Start(f))
	check(pprof.StartCPUProfile(io.Discard))

	stop := make(chan struct{})
	results := make(chan int, *procs)
	var workers sync.WaitGroup
	for i := 0; i < *procs; i++ {
		first := uint64(i)*1_000_000 + 1
		workers.Add(1)
		go func() {
			defer workers.Done()
			worker(first, stop, results)
		}()
	}
	time.Sleep(*dur)
	close(stop)
	workers.Wait()

	pprof.StopCPUProfile()
	trace.Stop()
	check(f.Close())
}
