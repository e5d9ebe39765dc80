// troubles: programs that have one trouble each, and a healthy one. -trouble says which.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/trace"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// A trouble has a part before tracing begins, which returns what goes on until stop is closed.
type trouble func() func(stop <-chan struct{})

var troubles = map[string]trouble{
	"healthy":        healthy,
	"starved":        starvation,
	"idleprocs":      idleProcs,
	"stw":            longStops,
	"convoy":         convoy,
	"slowserver":     slowServer,
	"blockedforever": leak,
	"leak":           leakMore,
	"lateleak":       leakLate,
	"blockingcalls":  blockingCalls,
	"assist":         longAssists,
	"gcback":         collections,
	"slowrequests":   slowRequests,
	"slowhandlers":   slowHandlers,
	"slowholders":    slowHolders,
	"twolocks":       twoLocks,
}

func spin(d time.Duration) {
	for t := time.Now(); time.Since(t) < d; {
	}
}

func stopped(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// ---- healthy: requests come in turn and are answered at once

func healthy() func(stop <-chan struct{}) {
	requests := make(chan chan int)
	return func(stop <-chan struct{}) {
		go worker(requests)
		go worker(requests)
		for !stopped(stop) {
			answer := make(chan int)
			requests <- answer
			<-answer
			time.Sleep(400 * time.Microsecond)
		}
		close(requests)
	}
}

func worker(requests <-chan chan int) {
	for answer := range requests {
		spin(20 * time.Microsecond)
		answer <- 1
	}
}

// ---- starved: one goroutine has the only proc, another one that gives way waits for its turns

func starvation() func(stop <-chan struct{}) {
	runtime.GOMAXPROCS(1)
	return func(stop <-chan struct{}) {
		var wg sync.WaitGroup
		wg.Add(2)
		go hog(&wg, stop)
		go starved(&wg, stop)
		wg.Wait()
	}
}

func hog(wg *sync.WaitGroup, stop <-chan struct{}) {
	for !stopped(stop) {
		spin(30 * time.Millisecond)
	}
	wg.Done()
}

func starved(wg *sync.WaitGroup, stop <-chan struct{}) {
	for !stopped(stop) {
		spin(20 * time.Microsecond)
		runtime.Gosched()
	}
	wg.Done()
}

// ---- idleprocs: more procs than the machine has for the program, as in a container

func idleProcs() func(stop <-chan struct{}) {
	runtime.GOMAXPROCS(4)
	var one [16]uint64
	one[0] = 1
	setAffinity := func() {
		syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(one),
			uintptr(unsafe.Pointer(&one)))
	}
	return func(stop <-chan struct{}) {
		// New threads inherit the processor and the low priority; the busy one gets a high one.
		runtime.LockOSThread()
		setAffinity()
		for _, thread := range threads() {
			syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, thread, unsafe.Sizeof(one),
				uintptr(unsafe.Pointer(&one)))
			syscall.Setpriority(syscall.PRIO_PROCESS, int(thread), 19)
		}
		syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), -20)
		for !stopped(stop) {
			var wg sync.WaitGroup
			for range 3 {
				wg.Add(1)
				go late(&wg)
			}
			spin(8 * time.Millisecond)
			wg.Wait()
			time.Sleep(time.Millisecond)
		}
	}
}

//go:noinline
func late(wg *sync.WaitGroup) {
	spin(50 * time.Microsecond)
	wg.Done()
}

func threads() []uintptr {
	var ids []uintptr
	entries, err := os.ReadDir("/proc/self/task")
	check(err)
	for _, entry := range entries {
		var id uintptr
		fmt.Sscan(entry.Name(), &id)
		ids = append(ids, id)
	}
	return ids
}

// ---- stw: who stops the world has to wait for a copy that nothing interrupts

func longStops() func(stop <-chan struct{}) {
	runtime.GOMAXPROCS(2)
	from, to := make([]byte, 64<<20), make([]byte, 64<<20)
	copy(to, from)
	return func(stop <-chan struct{}) {
		var wg sync.WaitGroup
		wg.Add(2)
		go backup(&wg, stop, from, to)
		go measure(&wg, stop)
		wg.Wait()
	}
}

func backup(wg *sync.WaitGroup, stop <-chan struct{}, from, to []byte) {
	for !stopped(stop) {
		copy(to, from)
	}
	wg.Done()
}

func measure(wg *sync.WaitGroup, stop <-chan struct{}) {
	var stats runtime.MemStats
	for !stopped(stop) {
		time.Sleep(10 * time.Millisecond)
		runtime.ReadMemStats(&stats)
	}
	wg.Done()
}

// ---- convoy: all that the goroutines do, they do under one mutex

type store struct {
	mu     sync.Mutex
	values map[int]int
}

//go:noinline
func (s *store) get(key int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	spin(200 * time.Microsecond)
	return s.values[key]
}

func convoy() func(stop <-chan struct{}) {
	s := &store{values: map[int]int{1: 1}}
	return func(stop <-chan struct{}) {
		var wg sync.WaitGroup
		for range 8 {
			wg.Add(1)
			go s.visit(&wg, stop)
		}
		wg.Wait()
	}
}

func (s *store) visit(wg *sync.WaitGroup, stop <-chan struct{}) {
	for !stopped(stop) {
		s.get(1)
	}
	wg.Done()
}

// ---- slowserver: some requests take a lock that one of them holds for long

func slowServer() func(stop <-chan struct{}) {
	s := &store{values: map[int]int{1: 1}}
	mux := http.NewServeMux()
	mux.HandleFunc("/fast", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") })
	mux.HandleFunc("/slow", s.serveSlow)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	server := &http.Server{Handler: mux}
	go server.Serve(listener)
	url := "http://" + listener.Addr().String()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	return func(stop <-chan struct{}) {
		var wg sync.WaitGroup
		for _, path := range []string{"/fast", "/slow", "/slow", "/slow", "/slow", "/slow"} {
			wg.Add(1)
			go ask(&wg, stop, client, url+path)
		}
		wg.Wait()
	}
}

func ask(wg *sync.WaitGroup, stop <-chan struct{}, client *http.Client, url string) {
	for !stopped(stop) {
		response, err := client.Get(url)
		check(err)
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		time.Sleep(time.Millisecond)
	}
	wg.Done()
}

func (s *store) serveSlow(w http.ResponseWriter, r *http.Request) {
	s.rebuild()
	io.WriteString(w, "ok")
}

// Holds the lock while it waits for something else.
//
//go:noinline
func (s *store) rebuild() {
	s.mu.Lock()
	time.Sleep(2 * time.Millisecond)
	s.values[1]++
	s.mu.Unlock()
}

// ---- slowrequests: kinds of requests share two connections, of which one kind keeps one for long

type pool chan struct{}

func newPool(connections int) pool {
	p := make(pool, connections)
	for range connections {
		p <- struct{}{}
	}
	return p
}

//go:noinline
func (p pool) acquire(ctx context.Context) {
	defer trace.StartRegion(ctx, "acquire").End()
	<-p
}

func (p pool) release() { p <- struct{}{} }

func slowRequests() func(stop <-chan struct{}) {
	p := newPool(2)
	return func(stop <-chan struct{}) {
		var wg sync.WaitGroup
		for i := range 24 {
			wg.Add(1)
			go p.serve(&wg, stop, i)
		}
		wg.Wait()
	}
}

// Requests of all kinds, one after the other.
func (p pool) serve(wg *sync.WaitGroup, stop <-chan struct{}, seed int) {
	for i := seed * 7; !stopped(stop); i++ {
		switch {
		case i%5 < 2:
			p.request("report", 20*time.Millisecond)
		case i%5 < 4:
			p.request("lookup", 200*time.Microsecond)
		default:
			p.request("store", time.Millisecond)
		}
	}
	wg.Done()
}

func (p pool) request(kind string, d time.Duration) {
	ctx, task := trace.NewTask(context.Background(), kind)
	defer task.End()
	p.acquire(ctx)
	query(ctx, d)
	p.release()
	spin(50 * time.Microsecond)
}

// The database takes its time.
//
//go:noinline
func query(ctx context.Context, d time.Duration) {
	defer trace.StartRegion(ctx, "query").End()
	time.Sleep(d)
}

// ---- slowhandlers: the same behind net/http, without tasks or regions

func slowHandlers() func(stop <-chan struct{}) {
	p := newPool(2)
	mux := http.NewServeMux()
	handle := func(path string, d time.Duration) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			p.take()
			time.Sleep(d)
			p.release()
			io.WriteString(w, "ok")
		})
	}
	handle("/report", 8*time.Millisecond)
	handle("/lookup", 200*time.Microsecond)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	server := &http.Server{Handler: mux}
	go server.Serve(listener)
	url := "http://" + listener.Addr().String()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	return func(stop <-chan struct{}) {
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Add(1)
			go ask(&wg, stop, client, url+[]string{"/report", "/lookup", "/lookup"}[i%3])
		}
		wg.Wait()
	}
}

//go:noinline
func (p pool) take() { <-p }

// ---- blockedforever: goroutines wait for an answer that nobody will send

func leak() func(stop <-chan struct{}) {
	for range 25 {
		go leaked(make(chan int))
	}
	time.Sleep(20 * time.Millisecond)
	return healthy()
}

//go:noinline
func leaked(answer <-chan int) {
	<-answer
}

// ---- leak: ever more of them, beside workers that wait for their turn

func leakMore() func(stop <-chan struct{}) {
	return func(stop <-chan struct{}) {
		requests := make(chan chan int)
		for range 12 {
			go worker(requests)
		}
		for !stopped(stop) {
			answer := make(chan int)
			requests <- answer
			<-answer
			go leaked(make(chan int))
			time.Sleep(2 * time.Millisecond)
		}
	}
}

// ---- lateleak: ever more of them, which work before they offer an answer that nobody takes

func leakLate() func(stop <-chan struct{}) {
	return func(stop <-chan struct{}) {
		for !stopped(stop) {
			answer := make(chan int)
			for range 3 {
				go answerLate(answer)
			}
			<-answer
		}
	}
}

//go:noinline
func answerLate(answer chan<- int) {
	time.Sleep(3 * time.Millisecond)
	answer <- 42
}

// ---- slowholders: those that share two connections with others keep one for long, and say so

func slowHolders() func(stop <-chan struct{}) {
	p := newPool(2)
	return func(stop <-chan struct{}) {
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Add(1)
			go p.serveHolders(&wg, stop, i)
		}
		wg.Wait()
	}
}

func (p pool) serveHolders(wg *sync.WaitGroup, stop <-chan struct{}, seed int) {
	for i := seed * 7; !stopped(stop); i++ {
		if i%3 == 0 {
			p.request("report", time.Duration(20+i*7%21)*time.Millisecond)
			continue
		}
		p.request("lookup", 200*time.Microsecond)
		time.Sleep(60 * time.Millisecond)
	}
	wg.Done()
}

// ---- twolocks: a convoy within the function of another, and goroutines that wait there for ever

type stage struct{ first, second, never sync.Mutex }

//go:noinline
func (s *stage) enter(lock *sync.Mutex) {
	lock.Lock()
}

//go:noinline
func (s *stage) work() {
	s.first.Lock()
	spin(150 * time.Microsecond)
	s.first.Unlock()
	s.enter(&s.second)
	spin(200 * time.Microsecond)
	s.second.Unlock()
}

func twoLocks() func(stop <-chan struct{}) {
	s := &stage{}
	s.never.Lock()
	return func(stop <-chan struct{}) {
		for range 8 {
			go func() {
				for !stopped(stop) {
					s.work()
				}
			}()
		}
		for !stopped(stop) {
			go s.enter(&s.never)
			time.Sleep(2 * time.Millisecond)
		}
	}
}

// ---- blockingcalls: reads that the network poller does not know of

func blockingCalls() func(stop <-chan struct{}) {
	var pipe [2]int
	check(syscall.Pipe(pipe[:]))
	return func(stop <-chan struct{}) {
		var wg sync.WaitGroup
		wg.Add(1)
		go readBlocking(&wg, pipe[0])
		for !stopped(stop) {
			time.Sleep(12 * time.Millisecond)
			syscall.Write(pipe[1], []byte("x"))
		}
		syscall.Close(pipe[1])
		wg.Wait()
	}
}

func readBlocking(wg *sync.WaitGroup, from int) {
	var bytes [1]byte
	for n := 1; n == 1; {
		n, _ = syscall.Read(from, bytes[:])
	}
	wg.Done()
}

// ---- assist: much to mark, and one that allocates meanwhile

type node struct {
	next *node
	rest [6]uintptr
}

func nodes(count int) *node {
	var list *node
	for range count {
		list = &node{next: list}
	}
	return list
}

var live []*node

func longAssists() func(stop <-chan struct{}) {
	runtime.GOMAXPROCS(2)
	for range 64 {
		live = append(live, nodes(20000))
	}
	runtime.GC()
	debug.SetGCPercent(20)
	return func(stop <-chan struct{}) {
		var wg sync.WaitGroup
		wg.Add(1)
		go allocate(&wg, stop)
		wg.Wait()
	}
}

func allocate(wg *sync.WaitGroup, stop <-chan struct{}) {
	for i := 0; !stopped(stop); i++ {
		live[i%len(live)] = nodes(20000)
	}
	wg.Done()
}

// ---- gcback: hardly any garbage may be made before the collector begins anew

func collections() func(stop <-chan struct{}) {
	lists := make([][]*node, 8)
	for i := range lists {
		lists[i] = pointers(&node{})
	}
	debug.SetGCPercent(5)
	runtime.GC()
	return func(stop <-chan struct{}) {
		var wg sync.WaitGroup
		wg.Add(1)
		go churn(&wg, stop)
		wg.Wait()
		runtime.KeepAlive(lists)
	}
}

func pointers(to *node) []*node {
	list := make([]*node, 1<<17)
	for i := range list {
		list[i] = to
	}
	return list
}

var last []*node

// Makes garbage whenever no collection goes on, so that it never has to assist.
func churn(wg *sync.WaitGroup, stop <-chan struct{}) {
	var stats debug.GCStats
	for !stopped(stop) {
		debug.ReadGCStats(&stats)
		count := stats.NumGC
		last = pointers(nil)
		for !stopped(stop) && stats.NumGC == count {
			time.Sleep(100 * time.Microsecond)
			debug.ReadGCStats(&stats)
		}
	}
	wg.Done()
}

// ---- the frame

var (
	out   = flag.String("o", "out.trace", "trace file to write")
	which = flag.String("trouble", "healthy", "which one")
	dur   = flag.Duration("dur", 100*time.Millisecond, "stop tracing after this long")
	size  = flag.Int64("size", 200, "stop tracing once this many KiB are written")
	_     = flag.Int64("seed", 1, "not used")
	procs = flag.Int("procs", 2, "GOMAXPROCS while tracing, where the trouble has none of its own")
	_     = flag.Int("n", 0, "not used")
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

func names() string {
	var list []string
	for name := range troubles {
		list = append(list, name)
	}
	sort.Strings(list)
	return strings.Join(list, ", ")
}

func main() {
	flag.Parse()
	prepare, ok := troubles[*which]
	if !ok {
		fmt.Fprintln(os.Stderr, "-trouble is one of", names())
		os.Exit(2)
	}
	runtime.GOMAXPROCS(*procs)
	run := prepare()
	f, err := os.Create(*out)
	check(err)
	lim := &limited{w: f, max: *size << 10, full: make(chan struct{})}
	stop := make(chan struct{})
	check(trace.Start(lim))
	go func() {
		select {
		case <-time.After(*dur):
		case <-lim.full:
		}
		close(stop)
	}()
	run(stop)
	trace.Stop()
	check(f.Close())
}
