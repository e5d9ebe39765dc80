// Traces in which time jumps though nothing is wrong with them: of a program that was stopped
// for some seconds (SIGSTOP, SIGCONT), and of one that had nothing to do.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"runtime"
	"runtime/trace"
	"syscall"
	"time"
)

// pass sends a number back and forth between two goroutines.
func pass(times int) {
	there, back := make(chan int), make(chan int)
	go func() {
		for n := range there {
			back <- n + 1
		}
		close(back)
	}()
	for n := 0; n < times; {
		there <- n
		n = <-back
	}
	close(there)
	<-back
}

// stop stops this process; another one lets it go on.
func stop(duration time.Duration) {
	line := fmt.Sprintf("sleep %g; kill -CONT %d", duration.Seconds(), os.Getpid())
	waker := exec.Command("sh", "-c", line)
	if err := waker.Start(); err != nil {
		log.Fatal(err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGSTOP); err != nil {
		log.Fatal(err)
	}
	if err := waker.Wait(); err != nil {
		log.Fatal(err)
	}
}

func main() {
	out := flag.String("o", "jumps.trace", "the trace to write")
	stopped := flag.Duration("stop", 0, "how long the program is stopped")
	idle := flag.Duration("idle", 0, "how long it sleeps")
	procs := flag.Int("procs", 2, "GOMAXPROCS")
	flag.Parse()
	runtime.GOMAXPROCS(*procs)
	file, err := os.Create(*out)
	if err != nil {
		log.Fatal(err)
	}
	if err := trace.Start(file); err != nil {
		log.Fatal(err)
	}
	pass(20)
	if *stopped > 0 {
		stop(*stopped)
	}
	if *idle > 0 {
		time.Sleep(*idle)
	}
	pass(20)
	trace.Stop()
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
}
