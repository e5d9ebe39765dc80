// crowd: very many goroutines. Those that live for a moment, n at a time, or with
// -sleepers n that were there before the trace, wake twice a second and sleep again.
package main

import (
	"context"
	"flag"
	"io"
	"math/rand"
	"os"
	"runtime"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"time"
)

var (
	older    = flag.Int("older", 0, "so many goroutines have come and gone before the trace")
	sleepers = flag.Bool("sleepers", false, "goroutines that sleep, not ones that come and go")
)

var sum atomic.Int64

// brief starts count goroutines that do hardly anything, and waits for them.
func brief(count int) {
	var wg sync.WaitGroup
	for i := 0; i < count; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); sum.Add(1) }()
	}
	wg.Wait()
}

func sleep(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(500 * time.Millisecond):
		}
	}
}

func main() {
	flag.Parse()
	runtime.GOMAXPROCS(*procs)
	if *n == 0 {
		*n = 1000
	}
	for i := 0; i < *older; i += *n {
		brief(*n)
	}
	end := make(chan struct{})
	for i := 0; *sleepers && i < *n; i++ {
		go sleep(end)
	}
	traced(func(ctx context.Context, rng *rand.Rand, stop <-chan struct{}) {
		if *sleepers {
			<-stop
			return
		}
		for {
			select {
			case <-stop:
				return
			default:
				brief(*n)
			}
		}
	})
	close(end)
}

// ---- the same frame ends every generator ----

var (
	out   = flag.String("o", "out.trace", "trace file to write")
	dur   = flag.Duration("dur", 2*time.Second, "stop tracing after this long")
	size  = flag.Int64("size", 200, "stop tracing once this many KiB are written")
	seed  = flag.Int64("seed", 1, "seed for the shape of the work")
	procs = flag.Int("procs", 4, "GOMAXPROCS while tracing")
	n     = flag.Int("n", 0, "how much of it (each program's own default when 0)")
)

// limited passes writes on and closes full once max bytes have gone through.
type limited struct {
	w      io.Writer
	n, max int64
	full   chan struct{}
	once   sync.Once
}

func (l *limited) Write(p []byte) (int, error) {
	k, err := l.w.Write(p)
	if atomic.AddInt64(&l.n, int64(k)) >= l.max {
		l.once.Do(func() { close(l.full) })
	}
	return k, err
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func traced(work func(ctx context.Context, rng *rand.Rand, stop <-chan struct{})) {
	f, err := os.Create(*out)
	check(err)
	lim := &limited{w: f, max: *size << 10, full: make(chan struct{})}
	ctx := context.Background()
	stop := make(chan struct{})
	check(trace.Start(lim))
	go func() {
		select {
		case <-time.After(*dur):
		case <-lim.full:
		}
		close(stop)
	}()
	work(ctx, rand.New(rand.NewSource(*seed)), stop)
	trace.Stop()
	check(f.Close())
}
