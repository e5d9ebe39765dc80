/* The rules of traces from before Go 1.22: doc/format/go-trace-v1.md, section by section. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "source/go/load.h"
#include "trace/lane.h"
#include "tracetesting.h"
#include "v1testing.h"
#include "v1writer.h"

/* A tick is a nanosecond. Proc 0, thread 7, goroutine 1 runs from 2 ns on. */
#define HEAD(minor) "go 1." minor "\nBatch 0 100\nFrequency 1000000000\n"
#define G1 "GoCreate 0 1 0 0\nProcStart 1 7\nGoStart 1 1 1\nGomaxprocs 1 4 0\n"
#define RUNS HEAD("19") G1

#define RUNS_LINES "-1 -/-/- sync 1\n1 7/0/- p0 Undetermined->Running\n" \
	"2 7/0/1 g1 Undetermined->Running\n"

/* Ends what RUNS began, when nothing came after 2 ns. */
#define NOTHING RUNS_LINES "3 -/-/- sync 2\n"

#define NONE "18446744073709551615"

static const struct row {
	const char *name, *text;
	const char *problem; /* part of the message with which reading ends; NULL: none */
	const char *lines;   /* NULL: not compared */
} wire[] = {
	{ "an id that is not assigned", RUNS "bytes 50 0\n", "unknown event type 50", NOTHING },
	{ "the id 0", RUNS "bytes 64 0\n", "unknown event type 0", NOTHING },
	{ "an event of a later version", HEAD("11") "CPUSample 0 100 0 0 0\n",
	  "unknown event type 49", NULL },
	{ "too few arguments", RUNS "HeapAlloc 1\n", "HeapAlloc: wrong number of arguments",
	  NOTHING },
	{ "too many arguments", RUNS "HeapAlloc 1 2 3\n", "wrong number of arguments", NOTHING },
	{ "the form with a length", RUNS "!HeapAlloc 1 2\n", NULL,
	  RUNS_LINES "4 7/0/1 heap 2\n5 -/-/- sync 2\n" },
	{ "too few arguments in a length", RUNS "!HeapAlloc 1\n", "wrong number of arguments",
	  NOTHING },
	{ "too many arguments in a length", RUNS "!HeapAlloc 1 2 3\n", "wrong number of arguments",
	  NOTHING },
	{ "a number past its length", RUNS "bytes 225 2 1 128 1\n",
	  "HeapAlloc: a number goes past the arguments", NOTHING },
	{ "a length past the limit", RUNS "bytes 225 129 16\n", "2049 bytes of arguments",
	  NOTHING },
	{ "a length past the end", RUNS "bytes 225 128 16\n", "ends in the middle of an event",
	  NOTHING },
	{ "a batch has its own form", RUNS "!Batch 0 200\n", "Batch: wrong number of arguments",
	  NOTHING },
	{ "a stack has the form with a length", RUNS "bytes 3 1\n",
	  "Stack: wrong number of arguments", NOTHING },
	{ "a number of more than 64 bits", RUNS "bytes 97 1 255 255 255 255 255 255 255 255 255 2\n",
	  "a number does not fit in 64 bits", NOTHING },
	{ "nothing but the header", "go 1.19\n", "no frequency event", "" },
	{ "no frequency", "go 1.19\nBatch 0 100\nHeapAlloc 1 2\n", "no frequency event", "" },
	{ "a frequency of nothing", "go 1.19\nBatch 0 100\nHeapAlloc 1 2\nFrequency 0\n",
	  "invalid frequency 0", "" },
	{ "a frequency without end", "go 1.19\nBatch 0 100\nFrequency " NONE "\n",
	  "invalid frequency", "" },
	{ "an event before the first batch", "go 1.19\nFrequency 1\nBatch 0 1\n",
	  "Frequency before the first batch", "" },
	{ "a batch at the end of time", RUNS "Batch 1 " NONE "\n", "Batch: a time out of range",
	  NOTHING },
	{ "an event at the end of time", RUNS "HeapAlloc 9223372036854775807 1\n",
	  "HeapAlloc: a time out of range", NOTHING },
	{ "a sample at the end of time", RUNS "CPUSample 0 " NONE " 0 0 0\n",
	  "CPUSample: a time out of range", NOTHING },
};

static const struct row tables[] = {
	{ "a string without an id", RUNS "String 0 a\n", "invalid id 0", NOTHING },
	{ "a string without text", RUNS "String 1 \n", "string of length 0", NOTHING },
	{ "a string twice", RUNS "String 1 a\nString 1 b\n", "duplicate string ID 1", NOTHING },
	{ "a string past the limit", RUNS "bytes 37 1 193 132 61\n",
	  "a string of 1000001 bytes", NOTHING },
	{ "a string cut off", RUNS "bytes 37 1 5 97 98\n", "ends in the middle of an event",
	  NOTHING },
	{ "tables come last", RUNS "GoSched 1 5\nStack 5 2 10 1 2 3 20 4 2 4\n"
	  "String 1 leaf\nString 2 file\nString 4 root\n", NULL,
	  RUNS_LINES "4 7/0/1 g1 Running->Runnable (runtime.Gosched) @leaf\n5 -/-/- sync 2\n" },
	{ "the first frame of a pc stands for all", RUNS "String 1 one\nString 2 two\n"
	  "Stack 5 1 10 1 1 1\nStack 6 1 10 2 2 2\nGoSched 1 6\n", NULL,
	  RUNS_LINES "4 7/0/1 g1 Running->Runnable (runtime.Gosched) @one\n5 -/-/- sync 2\n" },
	{ "the last stack of an id counts", RUNS "String 1 one\nString 2 two\n"
	  "Stack 5 1 10 1 1 1\nStack 5 1 11 2 2 2\nGoSched 1 5\n", NULL,
	  RUNS_LINES "4 7/0/1 g1 Running->Runnable (runtime.Gosched) @two\n5 -/-/- sync 2\n" },
	{ "a stack that is not there", RUNS "GoSched 1 5\n", NULL,
	  RUNS_LINES "4 7/0/1 g1 Running->Runnable (runtime.Gosched)\n5 -/-/- sync 2\n" },
	{ "an empty stack and one without an id", RUNS "Stack 5 0\nStack 0 1 1 1 1 1\nGoSched 1 5\n",
	  NULL, RUNS_LINES "4 7/0/1 g1 Running->Runnable (runtime.Gosched)\n5 -/-/- sync 2\n" },
	{ "a string that is not there", RUNS "UserTaskCreate 1 1 0 9 0\n", NULL,
	  RUNS_LINES "4 7/0/1 begin task 1 of - \n5 -/-/- sync 2\n" },
	{ "too few numbers for the frames", RUNS "Stack 5 1 1 1 1\n", "bad number of frames",
	  NOTHING },
	{ "too many numbers for the frames", RUNS "Stack 5 1 1 1 1 1 1\n", "bad number of frames",
	  NOTHING },
	{ "more frames than there may be", RUNS "Stack 5 1001\n", "bad number of frames", NOTHING },
	{ "a count of frames that overflows", RUNS "Stack 5 4611686018427387905 1 1 1 1\n",
	  "bad number of frames", NOTHING },
};

/* A second proc, where goroutine 2 is waiting at 10. */
#define G2_WAITS "GoCreate 1 2 0 0\nBatch 1 107\nProcStart 1 8\nGoStart 1 2 1\nGoBlockRecv 1 0\n"
#define G2_WAITS_LINES RUNS_LINES "4 7/0/1 g2 NotExist->Runnable\n" \
	"8 8/1/- p1 Undetermined->Running\n9 8/1/2 g2 Runnable->Running\n" \
	"10 8/1/2 g2 Running->Waiting (chan receive)\n"

static const struct row orders[] = {
	{ "procs in the order of their events", RUNS G2_WAITS, NULL,
	  G2_WAITS_LINES "11 -/-/- sync 2\n" },
	{ "the order of batches does not matter",
	  "go 1.19\nBatch 1 107\nProcStart 1 8\nGoStart 1 2 1\nGoBlockRecv 1 0\nBatch 0 100\n"
	  "Frequency 1000000000\n" G1 "GoCreate 1 2 0 0\n", NULL,
	  G2_WAITS_LINES "11 -/-/- sync 2\n" },
	{ "a goroutine goes on behind its batch", RUNS "Batch 0 110\nGoSched 1 0\n", NULL,
	  RUNS_LINES "11 7/0/1 g1 Running->Runnable (runtime.Gosched)\n12 -/-/- sync 2\n" },
	{ "numbers order what times do not", RUNS G2_WAITS "Batch 0 120\nGoUnblock 1 2 2 0\n"
	  "Batch 1 119\nGoStart 2 2 3\n", NULL,
	  G2_WAITS_LINES "21 7/0/1 g2 Waiting->Runnable\n22 8/1/2 g2 Runnable->Running\n"
	  "23 -/-/- sync 2\n" },
	{ "local events wait for a state alone", RUNS G2_WAITS "GoStartLocal 5 1\nBatch 0 111\n"
	  "GoUnblockLocal 1 2 0\nGoSched 1 0\nGoStartLocal 1 2\n", NULL,
	  G2_WAITS_LINES "12 7/0/1 g2 Waiting->Runnable\n"
	  "13 7/0/1 g1 Running->Runnable (runtime.Gosched)\n14 7/0/2 g2 Runnable->Running\n"
	  "15 8/1/1 g1 Runnable->Running\n16 -/-/- sync 2\n" },
	{ "local events in order", RUNS G2_WAITS "Batch 0 111\nGoUnblockLocal 1 2 0\n"
	  "GoSched 1 0\nGoStartLocal 1 2\n", NULL,
	  G2_WAITS_LINES "12 7/0/1 g2 Waiting->Runnable\n"
	  "13 7/0/1 g1 Running->Runnable (runtime.Gosched)\n14 7/0/2 g2 Runnable->Running\n"
	  "15 -/-/- sync 2\n" },
	{ "a number that never comes", RUNS G2_WAITS "Batch 0 120\nGoUnblock 1 2 9 0\n",
	  "no consistent ordering of events possible", G2_WAITS_LINES "11 -/-/- sync 2\n" },
	{ "times that contradict the numbers", RUNS G2_WAITS "Batch 1 112\nGoStart 1 2 3\n"
	  "Batch 0 120\nGoUnblock 1 2 2 0\n", "time stamps out of order",
	  G2_WAITS_LINES "21 7/0/1 g2 Waiting->Runnable\n22 -/-/- sync 2\n" },
	{ "two procs start one goroutine", RUNS "GoCreate 1 2 0 0\nBatch 1 106\nProcStart 1 8\n"
	  "GoStartLocal 1 2\nBatch 2 107\nProcStart 1 9\nGoStartLocal 2 2\n",
	  "GoStartLocal for goroutine 2, which another event has changed", NULL },
	{ "a collection in its turn", RUNS "GCStart 1 0 0\nGCDone 1\nBatch 1 110\nProcStart 1 8\n"
	  "GCStart 1 1 0\n", NULL,
	  RUNS_LINES "4 -/1000004/1 begin GC\n5 7/0/1 end GC\n11 8/1/- p1 Undetermined->Running\n"
	  "12 -/1000004/- begin GC\n13 -/-/- sync 2\n" },
	{ "a collection out of its turn", RUNS "GCStart 1 1 0\n", "no consistent ordering", NOTHING },
	{ "events of no proc", RUNS "Batch " NONE " 105\nHeapAlloc 1 9\n", NULL,
	  RUNS_LINES "6 -/-/- heap 9\n7 -/-/- sync 2\n" },
	{ "samples by their own times", RUNS "HeapAlloc 1 9\nCPUSample 77 107 0 1 0\n"
	  "CPUSample 0 103 " NONE " 0 0\nHeapAlloc 4 9\n", NULL,
	  RUNS_LINES "3 -/-/- sample\n4 7/0/1 heap 9\n7 -/0/1 sample\n8 7/0/1 heap 9\n"
	  "9 -/-/- sync 2\n" },
};

/* Goroutine 1 in a syscall that lasts, at 5. */
#define IN_SYSCALL RUNS "GoSysCall 1 0\nGoSysBlock 1\nProcStop 1\n"
#define IN_SYSCALL_LINES RUNS_LINES "4 7/0/1 g1 Running->Syscall\n6 7/0/- p0 Running->Idle\n"

static const struct row times[] = {
	{ "a syscall ends when it says", IN_SYSCALL "ProcStart 20 7\nGoSysExit 1 1 2 115\n", NULL,
	  IN_SYSCALL_LINES "15 -/1000003/1 g1 Syscall->Runnable\n26 7/0/- p0 Idle->Running\n"
	  "27 -/-/- sync 2\n" },
	{ "or when it is told", IN_SYSCALL "ProcStart 20 7\nGoSysExit 1 1 2 0\n", NULL,
	  IN_SYSCALL_LINES "26 7/0/- p0 Idle->Running\n27 -/1000003/1 g1 Syscall->Runnable\n"
	  "28 -/-/- sync 2\n" },
	{ "a local end does not say whose it is", IN_SYSCALL "ProcStart 20 7\nGoSysExitLocal 1 1 115\n",
	  "the goroutine is not waiting", IN_SYSCALL_LINES "26 7/0/- p0 Idle->Running\n"
	  "27 -/-/- sync 2\n" },
	{ "an end before the begin", IN_SYSCALL "ProcStart 20 7\nGoSysExit 1 1 2 104\n",
	  "time stamps out of order", IN_SYSCALL_LINES "26 7/0/- p0 Idle->Running\n27 -/-/- sync 2\n" },
	{ "an end beyond time", IN_SYSCALL "ProcStart 20 7\nGoSysExit 1 1 2 " NONE "\n",
	  "time stamps out of order", IN_SYSCALL_LINES "26 7/0/- p0 Idle->Running\n27 -/-/- sync 2\n" },
	{ "an end without a begin", RUNS G2_WAITS "GoSysExit 20 2 2 125\n", "stray syscall exit",
	  G2_WAITS_LINES "11 -/-/- sync 2\n" },
	{ "an end of a syscall older than the trace", HEAD("19") "GoCreate 1 9 0 0\n"
	  "GoInSyscall 1 9\nGoSysExit 20 9 2 115\n", NULL,
	  "-1 -/-/- sync 1\n1 -/0/9 g9 Undetermined->Syscall\n14 -/1000003/9 g9 Syscall->Runnable\n"
	  "15 -/-/- sync 2\n" },
	{ "a tick of another length", "go 1.19\nBatch 0 1000\nFrequency 2000000\nHeapAlloc 1 1\n"
	  "HeapAlloc 3 2\n", NULL,
	  "-1 -/-/- sync 1\n0 -/0/- heap 1\n1500 -/0/- heap 2\n1501 -/-/- sync 2\n" },
	{ "equal times come one after the other", RUNS "HeapAlloc 1 1\nHeapAlloc 0 2\nHeapAlloc 1 3\n",
	  NULL, RUNS_LINES "4 7/0/1 heap 1\n5 7/0/1 heap 2\n6 7/0/1 heap 3\n7 -/-/- sync 2\n" },
};

static const struct row checks[] = {
	{ "a proc starts twice", RUNS "ProcStart 1 8\n", "the proc is running already", NOTHING },
	{ "a proc stops under a goroutine", RUNS "ProcStop 1\n", "a goroutine runs on the proc",
	  NOTHING },
	{ "a proc stops twice", RUNS "GoSched 1 0\nProcStop 1\nProcStop 1\n",
	  "the proc is not running", NULL },
	{ "a collection within a collection", RUNS "GCStart 1 0 0\nGCStart 1 1 0\n",
	  "a collection is in progress", NULL },
	{ "the end of no collection", RUNS "GCDone 1\n", "no collection is in progress", NOTHING },
	{ "a stop within a stop", RUNS "GCSTWStart 1 0\nGCSTWStart 1 0\n",
	  "the world is stopped already", NULL },
	{ "the end of no stop", RUNS "GCSTWDone 1\n", "the world is not stopped", NOTHING },
	{ "a sweep within a sweep", RUNS "GCSweepStart 1 0\nGCSweepStart 1 0\n",
	  "the proc is sweeping already", NULL },
	{ "the end of no sweep", RUNS "GCSweepDone 1 0 0\n", "the proc is not sweeping", NOTHING },
	{ "the end of another proc's sweep", RUNS "GCSweepStart 1 0\nBatch 1 110\nProcStart 1 8\n"
	  "GCSweepDone 1 0 0\n", "the proc is not sweeping", NULL },
	{ "an assist within an assist", RUNS "GCMarkAssistStart 1 0\nGCMarkAssistStart 1 0\n",
	  "a mark assist is in progress", NULL },
	{ "the end of no assist", RUNS "GCMarkAssistDone 1\n", NULL,
	  RUNS_LINES "4 7/0/1 end assist g1\n5 -/-/- sync 2\n" },
	{ "a goroutine made twice", RUNS "GoCreate 1 1 0 0\n", "no consistent ordering", NOTHING },
	{ "a start where another runs", RUNS "GoCreate 1 2 0 0\nGoStart 1 2 1\n",
	  "another goroutine runs on the proc", NULL },
	{ "a wake by nobody", RUNS G2_WAITS "Batch 1 120\nGoUnblock 1 2 2 0\n", NULL,
	  G2_WAITS_LINES "21 8/1/- g2 Waiting->Runnable\n22 -/-/- sync 2\n" },
	{ "an end of nobody", RUNS "GoSched 1 0\nGoEnd 1\n", "GoEnd of goroutine -1 on proc 0: "
	  "no goroutine runs", NULL },
	{ "a syscall of nobody", RUNS "GoSched 1 0\nGoSysCall 1 0\n", "no goroutine runs", NULL },
	{ "a task twice", RUNS "UserTaskCreate 1 1 0 0 0\nUserTaskCreate 1 1 0 0 0\n",
	  "the task exists already", NULL },
	{ "a task again after its end", RUNS "UserTaskCreate 1 1 0 0 0\nUserTaskEnd 1 1 0\n"
	  "UserTaskCreate 1 1 0 0 0\n", NULL, NULL },
	{ "regions that cross", RUNS "String 1 a\nString 2 b\nUserRegion 1 0 0 1 0\n"
	  "UserRegion 1 0 0 2 0\nUserRegion 1 0 1 1 0\n", "the region is not the innermost one",
	  NULL },
	{ "a region of another task", RUNS "UserRegion 1 3 0 0 0\nUserRegion 1 4 1 0 0\n",
	  "the region is not the innermost one", NULL },
	{ "a region of another sort", RUNS "UserRegion 1 0 2 0 0\n", "an unknown mode of a region",
	  NOTHING },
	{ "the end of an old region", RUNS "UserRegion 1 0 1 0 0\n", NULL,
	  RUNS_LINES "4 7/0/1 end region 0 \n5 -/-/- sync 2\n" },
	{ "a futile wakeup", RUNS "FutileWakeup 1\n", "unexpected event type", NOTHING },
	{ "what comes after is dropped", RUNS "GCDone 1\nHeapAlloc 1 1\n",
	  "no collection is in progress", NOTHING },
};

static const struct row translations[] = {
	{ "what is older than the trace", HEAD("19") "GoCreate 0 2 0 0\nGoWaiting 1 2\n"
	  "GoCreate 1 3 0 0\nGoInSyscall 1 3\nGoCreate 1 4 0 0\nGomaxprocs 1 4 0\n"
	  "Gomaxprocs 1 8 0\n", NULL,
	  "-1 -/-/- sync 1\n1 -/0/2 g2 Undetermined->Waiting\n3 -/0/3 g3 Undetermined->Syscall\n"
	  "5 -/-/- g4 Undetermined->Runnable\n6 -/0/- procs 8\n7 -/-/- sync 2\n" },
	{ "a proc that stands still", HEAD("19") "Gomaxprocs 0 1 0\nBatch 1 105\nProcStart 0 1\n"
	  "ProcStop 1\nProcStart 1 2\nProcStop 1\n", NULL,
	  "-1 -/-/- sync 1\n5 1/1/- p1 Undetermined->Running\n6 1/1/- p1 Running->Idle\n"
	  "7 2/1/- p1 Idle->Running\n8 2/1/- p1 Running->Idle\n9 -/-/- sync 2\n" },
	{ "a new goroutine", RUNS "String 1 f\nString 2 g\nStack 1 1 10 1 1 1\nStack 2 1 20 2 2 2\n"
	  "GoCreate 1 2 2 1\n", NULL,
	  RUNS_LINES "4 7/0/1 g2 NotExist->Runnable in g @f\n5 -/-/- sync 2\n" },
	{ "a goroutine of nobody", RUNS "GoSched 1 0\nGoCreate 1 2 0 0\n", NULL,
	  RUNS_LINES "4 7/0/1 g1 Running->Runnable (runtime.Gosched)\n"
	  "5 7/0/- g2 NotExist->Runnable\n6 -/-/- sync 2\n" },
	{ "a label", RUNS "String 1 GC (idle)\nGoSched 1 0\nGoStartLabel 1 1 2 1\n", NULL,
	  RUNS_LINES "4 7/0/1 g1 Running->Runnable (runtime.Gosched)\n"
	  "5 7/0/1 g1 Runnable->Running\n6 7/0/1 label GC (idle)\n7 -/-/- sync 2\n" },
	{ "a label when the trace begins", HEAD("19") "String 1 l\nGoCreate 0 1 0 0\n"
	  "GoStartLabel 1 1 1 1\n", NULL,
	  "-1 -/-/- sync 1\n1 -/0/1 g1 Runnable->Running\n2 -/0/1 label l\n3 -/-/- sync 2\n" },
	{ "a wake for the network", RUNS "GoCreate 1 2 0 0\nBatch 1 107\nProcStart 1 8\n"
	  "GoStart 1 2 1\nGoBlockNet 1 0\nBatch 0 120\nGoUnblock 1 2 2 0\n", NULL,
	  RUNS_LINES "4 7/0/1 g2 NotExist->Runnable\n8 8/1/- p1 Undetermined->Running\n"
	  "9 8/1/2 g2 Runnable->Running\n10 8/1/2 g2 Running->Waiting (network)\n"
	  "21 -/1000002/1 g2 Waiting->Runnable\n22 -/-/- sync 2\n" },
	{ "a wake by a timer", RUNS G2_WAITS "Batch 0 120\nGoUnblock 1 2 2 0\nTimerGoroutine 1\n",
	  NULL, G2_WAITS_LINES "21 -/1000001/1 g2 Waiting->Runnable\n22 -/-/- sync 2\n" },
	{ "a syscall that does not block", RUNS "GoSysCall 5 0\nHeapAlloc 0 1\nGoSysCall 9 0\n", NULL,
	  RUNS_LINES "8 7/0/1 g1 Running->Syscall\n9 7/0/1 g1 Syscall->Running\n10 7/0/1 heap 1\n"
	  "17 7/0/1 g1 Running->Syscall\n18 7/0/1 g1 Syscall->Running\n19 -/-/- sync 2\n" },
	{ "a sample hides that a syscall blocks", RUNS "GoSysCall 1 0\nGoSysBlock 5\n"
	  "CPUSample 0 106 0 1 0\n", NULL,
	  RUNS_LINES "4 7/0/1 g1 Running->Syscall\n5 7/0/1 g1 Syscall->Running\n6 -/0/1 sample\n"
	  "7 -/-/- sync 2\n" },
	{ "a collection", RUNS "GCStart 1 0 0\nGCSTWStart 1 1\nGCSTWDone 1\nGCMarkAssistStart 1 0\n"
	  "GCMarkAssistDone 1\nGCSTWStart 1 0\nHeapGoal 1 4096\nGCDone 1\nGCSTWDone 1\n"
	  "GCSweepStart 1 0\nGCSweepDone 1 8192 512\n", NULL,
	  RUNS_LINES "4 -/1000004/1 begin GC\n5 7/0/1 begin STW (GC sweep termination) g1\n"
	  "6 7/0/1 end STW (GC sweep termination) g1\n7 7/0/1 begin assist g1\n"
	  "8 7/0/1 end assist g1\n9 7/0/1 begin STW (GC mark termination) g1\n10 7/0/1 goal 4096\n"
	  "11 7/0/1 end GC\n12 7/0/1 end STW (GC mark termination) g1\n13 7/0/1 begin sweep p0\n"
	  "14 7/0/1 end sweep p0 8192/512\n15 -/-/- sync 2\n" },
	{ "tasks, regions and logs", RUNS "String 1 task\nString 2 region\nString 3 key\n"
	  "UserTaskCreate 1 5 0 1 0\nUserTaskCreate 1 6 5 1 0\nUserRegion 1 6 0 2 0\n"
	  "UserLog 1 6 3 0 what happened\nUserLog 1 6 0 0 \nUserRegion 1 6 1 2 0\nUserTaskEnd 1 6 0\n"
	  "UserTaskEnd 1 5 0\nUserTaskEnd 1 4 0\n", NULL,
	  RUNS_LINES "4 7/0/1 begin task 5 of - task\n5 7/0/1 begin task 6 of 5 task\n"
	  "6 7/0/1 begin region 6 region\n7 7/0/1 log 6 key what happened\n8 7/0/1 log 6  \n"
	  "9 7/0/1 end region 6 region\n10 7/0/1 end task 6 of 5 task\n11 7/0/1 end task 5 of 0 task\n"
	  "12 7/0/1 end task 4 of - \n13 -/-/- sync 2\n" },
	{ "a goroutine that ends leaves its regions", RUNS "UserRegion 1 0 0 0 0\nGoEnd 1\n", NULL,
	  RUNS_LINES "4 7/0/1 begin region 0 \n5 7/0/1 g1 Running->NotExist\n6 -/-/- sync 2\n" },
	{ "blocked for good", RUNS "GoStop 1 0\n", NULL,
	  RUNS_LINES "4 7/0/1 g1 Running->Waiting (forever)\n5 -/-/- sync 2\n" },
};

static void
check_row(const struct row *row)
{
	struct v1_reading got = { 0 };
	v1_read_text(&got, row->text);
	const char *message = got.err.kind == ERROR_NONE ? "" : got.err.message;
	if (row->problem == NULL ? *message != '\0' : strstr(message, row->problem) == NULL)
		fail_msg("%s: the problem is \"%s\", should be \"%s\"; delivered\n%s", row->name, message,
		         row->problem ? row->problem : "", got.lines.bytes);
	if (row->problem != NULL && got.err.offset_bytes == ERROR_NO_OFFSET)
		fail_msg("%s: the problem has no place", row->name);
	if (row->lines != NULL && strcmp(got.lines.bytes, row->lines) != 0)
		fail_msg("%s: delivered\n%sshould be\n%s", row->name, got.lines.bytes, row->lines);
	if (got.is_out_of_order)
		fail_msg("%s: times do not increase", row->name);
	v1_reading_release(&got);
}

#define CHECK_ROWS(rows) check_rows(rows, ARRAY_LENGTH(rows))

static void
check_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_row(&rows[i]);
}

static void
records_are_checked(void **state)
{
	(void)state;
	CHECK_ROWS(wire);
}

static void
tables_may_stand_anywhere(void **state)
{
	(void)state;
	CHECK_ROWS(tables);
}

static void
events_come_in_one_order(void **state)
{
	(void)state;
	CHECK_ROWS(orders);
}

static void
times_are_corrected(void **state)
{
	(void)state;
	CHECK_ROWS(times);
}

static void
contradictions_are_found(void **state)
{
	(void)state;
	CHECK_ROWS(checks);
}

static void
events_become_those_of_v2(void **state)
{
	(void)state;
	CHECK_ROWS(translations);
}

/* ---- what was before the trace */

/*
 * Where tracing begins in a process with a goroutine in a system call, as the second time it does:
 * who starts it writes of all others, and of itself last, on its own proc. All of that was so since
 * the trace began.
 */
static void
states_before_the_trace_begin_with_it(void **state)
{
	static const char text[] = "go 1.21\n"
				   "Batch 2 1000\n"
				   "GoCreate 1 17 0 0\nGoInSyscall 500 17\n"
				   "GoCreate 500 2 0 0\nGoWaiting 500 2\n"
				   "GoCreate 500 3 0 0\n"
				   "GoCreate 500 1 0 0\n"
				   "ProcStart 500 7\nGoStartLocal 500 1\n"
				   "Gomaxprocs 500 4 0\nGoEnd 5000\nProcStop 1\n"
				   "Frequency 1000000000\n";
	struct text bytes = { 0 };
	struct input in;
	struct error err = { 0 };
	char problem[200];
	(void)state;
	if (!v1w_assemble(text, &bytes, problem))
		fail_msg("%s", problem);
	assert_true(input_open_memory(&in, bytes.bytes, bytes.length, &err));
	struct trace *trace = go_load(&in, &(struct go_read_options){ 0 }, &err);
	if (trace == NULL)
		fail_msg("%s", err.message);
	assert_int_equal(trace_actor_count(trace), 4);
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		struct span span;
		struct lane lane = { LANE_ACTOR, i };
		assert_int_equal(trace_actor(trace, i)->first_ns, 0);
		assert_true(lane_span_at(trace, lane, 0, &span));
		assert_int_equal(span.start_ns, 0);
	}
	trace_free(trace);
	input_close(&in);
	text_release(&bytes);
}

/* ---- reasons and kinds */

static void
check_text(const char *text, const char *wanted)
{
	struct v1_reading got = { 0 };
	v1_read_text(&got, text);
	assert_int_equal(got.err.kind, ERROR_NONE);
	if (strstr(got.lines.bytes, wanted) == NULL)
		fail_msg("\"%s\" is not in\n%s", wanted, got.lines.bytes);
	v1_reading_release(&got);
}

static void
each_way_to_stop_has_a_reason(void **state)
{
	static const struct {
		const char *record, *wanted;
	} ways[] = {
		{ "GoSched", "g1 Running->Runnable (runtime.Gosched)\n" },
		{ "GoPreempt", "g1 Running->Runnable (preempted)\n" },
		{ "GoSleep", "g1 Running->Waiting (sleep)\n" },
		{ "GoBlock", "g1 Running->Waiting\n" },
		{ "GoBlockSend", "g1 Running->Waiting (chan send)\n" },
		{ "GoBlockRecv", "g1 Running->Waiting (chan receive)\n" },
		{ "GoBlockSelect", "g1 Running->Waiting (select)\n" },
		{ "GoBlockSync", "g1 Running->Waiting (sync)\n" },
		{ "GoBlockCond", "g1 Running->Waiting (sync.(*Cond).Wait)\n" },
		{ "GoBlockNet", "g1 Running->Waiting (network)\n" },
		{ "GoBlockGC", "g1 Running->Waiting (GC mark assist wait for work)\n" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(ways); i++) {
		struct text trace = { 0 };
		text_format(&trace, RUNS "%s 1 0\n", ways[i].record);
		check_text(trace.bytes, ways[i].wanted);
		text_release(&trace);
	}
}

/* The numbers of the kinds changed with 1.21. */
static void
each_stop_has_a_kind(void **state)
{
	static const struct {
		unsigned minor;
		const char *kind, *wanted;
	} kinds[] = {
		{ 11, "0", "(GC mark termination)" },
		{ 11, "1", "(GC sweep termination)" },
		{ 19, "2", "()" },
		{ 19, NONE, "()" },
		{ 21, "0", "()" },
		{ 21, "1", "(GC mark termination)" },
		{ 21, "2", "(GC sweep termination)" },
		{ 21, "3", "(write heap dump)" },
		{ 21, "6", "(all goroutine stack trace)" },
		{ 21, "9", "(GOMAXPROCS)" },
		{ 21, "16", "(ResetDebugLog (test))" },
		{ 21, "17", "()" },
		{ 21, NONE, "()" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
		struct text trace = { 0 }, wanted = { 0 };
		text_format(&trace, "go 1.%u\nBatch 0 1\nFrequency 1\nGCSTWStart 1 %s\nGCSTWDone 1\n",
		            kinds[i].minor, kinds[i].kind);
		text_format(&wanted, "begin STW %s\n", kinds[i].wanted);
		check_text(trace.bytes, wanted.bytes);
		text_release(&wanted);
		text_format(&wanted, "end STW %s\n", kinds[i].wanted);
		check_text(trace.bytes, wanted.bytes);
		text_release(&wanted);
		text_release(&trace);
	}
}

static void
only_known_versions_are_read(void **state)
{
	static const unsigned refused[] = { 5, 7, 8, 9, 10, 12, 18, 20 };
	static const unsigned known[] = { 11, 19, 21 };
	char text[100], wanted[100];
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(refused); i++) {
		struct v1_reading got = { 0 };
		snprintf(text, sizeof(text), "go 1.%u\nBatch 0 1\nFrequency 1\nHeapAlloc 1 1\n",
		         refused[i]);
		snprintf(wanted, sizeof(wanted), "unsupported trace version go 1.%u", refused[i]);
		v1_read_text(&got, text);
		assert_false(got.ok);
		assert_non_null(strstr(got.err.message, wanted));
		v1_reading_release(&got);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		snprintf(text, sizeof(text), "go 1.%u\nBatch 0 1\nFrequency 1\nHeapAlloc 1 1\n",
		         known[i]);
		check_text(text, "0 -/0/- heap 1\n");
	}
}

/* Many procs whose events all wait for something else: found out without trying them all again. */
static void
many_procs_wait_without_end(void **state)
{
	struct text trace = { 0 };
	struct v1_reading got = { 0 };
	(void)state;
	text_add_string(&trace, RUNS);
	for (unsigned i = 1; i < 20000; i++)
		text_format(&trace, "Batch %u 200\nGoStart 1 1 %u\n", i, i + 1000000);
	for (unsigned i = 0; i < 20000; i++)
		text_add_string(&trace, i == 0 ? "Batch 0 110\nGoSched 1 0\n"
		                               : "GoStartLocal 1 1\nGoSched 1 0\n");
	v1_read_text(&got, trace.bytes);
	assert_int_equal(got.result.wire_events, 4 + 2 * 20000 - 1);
	assert_non_null(strstr(got.err.message, "no consistent ordering"));
	v1_reading_release(&got);
	text_release(&trace);
}

static void
more_procs_than_any_machine_has(void **state)
{
	struct text trace = { 0 };
	struct v1_reading got = { 0 };
	(void)state;
	text_add_string(&trace, RUNS);
	for (unsigned i = 1; i < 70000; i++)
		text_format(&trace, "Batch %u 200\n", i);
	v1_read_text(&got, trace.bytes);
	assert_int_equal(got.err.kind, ERROR_LIMIT);
	assert_string_equal(got.lines.bytes, NOTHING);
	v1_reading_release(&got);
	text_release(&trace);
}

/* ---- in the model */

/* Lanes that stand in for a proc are none, and timers wake in the row of timers. */
static void
lanes_are_no_procs(void **state)
{
	static const char text[] =
		RUNS G2_WAITS "Batch 0 120\nGoUnblock 1 2 2 0\nTimerGoroutine 1\n"
		"GCStart 1 0 0\nGCDone 1\nGoSysCall 1 0\nGoSysBlock 1\nBatch 1 130\nGoSysExit 1 1 2 0\n";
	struct text bytes = { 0 };
	(void)state;
	v1_assemble(text, &bytes);
	struct trace *trace = testing_load_bytes("lanes", bytes.bytes, bytes.length);
	assert_false(trace->damage.count > 0);
	assert_int_equal(trace->go_minor, 19);
	assert_int_equal(trace_processor_count(trace), 2);
	assert_int_equal(wake_count(trace, WAKE_TIMER, 0, INT64_MAX), 1);
	assert_int_equal(wake_count(trace, WAKE_NETWORK, 0, INT64_MAX), 0);
	assert_int_equal(wake_count(trace, WAKE_SYSCALL, 0, INT64_MAX), 1);
	trace_free(trace);
	text_release(&bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_checked),
		cmocka_unit_test(tables_may_stand_anywhere),
		cmocka_unit_test(events_come_in_one_order),
		cmocka_unit_test(times_are_corrected),
		cmocka_unit_test(contradictions_are_found),
		cmocka_unit_test(events_become_those_of_v2),
		cmocka_unit_test(states_before_the_trace_begin_with_it),
		cmocka_unit_test(each_way_to_stop_has_a_reason),
		cmocka_unit_test(each_stop_has_a_kind),
		cmocka_unit_test(only_known_versions_are_read),
		cmocka_unit_test(many_procs_wait_without_end),
		cmocka_unit_test(more_procs_than_any_machine_has),
		cmocka_unit_test(lanes_are_no_procs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
