// midassist: allocators that are made to mark nearly always, so that a trace of them mostly
// begins within a mark phase and within mark assists.
package main

import (
	"bytes"
	"flag"
	"log"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/trace"
	"sync"
	"time"
)

type node struct {
	left, right *node
	rest        [4]uint64
}

func tree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{left: tree(depth - 1), right: tree(depth - 1)}
}

func allocator(stop <-chan struct{}, done *sync.WaitGroup) {
	defer done.Done()
	live := make([]*node, 64)
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
			live[i%len(live)] = tree(13)
		}
	}
}

func main() {
	out := flag.String("o", "midassist.trace", "file to write")
	dur := flag.Duration("dur", 3*time.Millisecond, "how long to trace")
	procs := flag.Int("procs", 2, "GOMAXPROCS")
	n := flag.Int("n", 8, "how many allocators")
	flag.Parse()
	runtime.GOMAXPROCS(*procs)
	debug.SetGCPercent(5)
	stop := make(chan struct{})
	var done sync.WaitGroup
	for i := 0; i < *n; i++ {
		done.Add(1)
		go allocator(stop, &done)
	}
	time.Sleep(30 * time.Millisecond)
	var written bytes.Buffer
	if err := trace.Start(&written); err != nil {
		log.Fatal(err)
	}
	time.Sleep(*dur)
	trace.Stop()
	close(stop)
	done.Wait()
	if err := os.WriteFile(*out, written.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
