/*
 * The rules of each event: doc/format/go-trace-semantics.md, section 3. Every
 * text with which a trace fails, and every reason for an event to wait.
 */
#include "base/compiler.h"
#include "gotrace_testing.h"

/* What stands before the events under test. */
#define START GO22 FREQ("1") BATCH("1", "0", "0")
#define RUNNING START P0 G1
#define RUNNING_EVENTS P0_EVENT G1_EVENT

static const struct trace_row contexts[] = {
	{ "a thread is needed", GO22 FREQ("1") BATCH("1", NONE, "0")
	  "GoCreate dt=1 new_g=2 new_stack=0 stack=0\n",
	  "expected a thread but didn't have one", "" },
	{ "a proc is needed", START "GoCreate dt=1 new_g=2 new_stack=0 stack=0\n",
	  "expected a proc but didn't have one", "" },
	{ "a goroutine is needed", START P0 "GoDestroy dt=1\n",
	  "expected a goroutine but didn't have one", P0_EVENT },
	{ "no goroutine may be there", RUNNING "GoStatus dt=1 g=2 m=" NONE " gstatus=1\n"
	  "GoStart dt=1 g=2 g_seq=1\n",
	  "expected no goroutine but had one", NULL },
	{ "a thread comes before a proc", GO22 FREQ("1") BATCH("1", NONE, "0")
	  "ProcStop dt=1\n", "expected a thread but didn't have one", "" },
	{ "metrics need a goroutine", START P0 "ProcsChange dt=1 procs_value=4 stack=0\n",
	  "expected a goroutine but didn't have one", NULL },
	{ "heap sizes need a proc", START "HeapAlloc dt=1 heapalloc_value=4\n",
	  "expected a proc but didn't have one", NULL },
	{ "heap sizes need no goroutine", START P0 "HeapAlloc dt=1 heapalloc_value=4\n"
	  "HeapGoal dt=1 heapgoal_value=8\n", NULL, P0_EVENT "0/0/- Metric\n0/0/- Metric\n" },
	{ "experimental events need a thread alone", GO23 FREQ("1") BATCH("1", "0", "0")
	  "SpanFree dt=1 id=7\n", NULL, "0/-/- Experimental\n" },
	{ "experimental events need a thread", GO23 FREQ("1") BATCH("1", NONE, "0")
	  "SpanFree dt=1 id=7\n", "expected a thread but didn't have one", "" },
	{ "a clock snapshot among events", GO25 SYNC("1") BATCH("1", "0", "0")
	  "ClockSnapshot dt=1 mono=1 sec=1 nsec=1\n", "bad event type found while ordering", "" },
	{ "a structural event among events", START P0 "Frequency freq=1\n",
	  "found event without a timestamp", "" },
};

static const struct trace_row procs[] = {
	{ "a status beyond the known ones", START "ProcStatus dt=1 p=0 pstatus=5\n",
	  "invalid status for proc", "" },
	{ "a status that is never written", START "ProcStatus dt=1 p=0 pstatus=0\n",
	  "invalid status for proc", "" },
	{ "two different statuses", START P0 "ProcStatus dt=1 p=0 pstatus=2\n",
	  "inconsistent status for proc", P0_EVENT },
	{ "the same status again", START P0 P0, NULL,
	  P0_EVENT "0/0/- p0 Running->Running\n" },
	{ "a new proc in a later generation", START P0 FREQ("2") BATCH("2", "0", "9")
	  "ProcStatus dt=1 p=1 pstatus=2\n", NULL, P0_EVENT "0/0/- p1 NotExist->Idle\n" },
	{ "an abandoned proc is idle", START "ProcStatus dt=1 p=0 pstatus=4\n"
	  "ProcSteal dt=1 p=0 p_seq=1 m=9\n", NULL,
	  "0/-/- p0 Undetermined->Idle\n0/-/- p0 Idle->Idle\n" },
	{ "an abandoned proc again", START "ProcStatus dt=1 p=0 pstatus=4\n"
	  "ProcStatus dt=1 p=0 pstatus=4\n", NULL,
	  "0/-/- p0 Undetermined->Idle\n0/-/- p0 Idle->Idle\n" },
	{ "promoted in the context of its holder", GO22 FREQ("1")
	  BATCH("1", "0", "0") P0 G1 "GoSyscallBegin dt=1 p_seq=1 stack=0\n"
	  BATCH("1", "1", "9") "ProcStatus dt=1 p=0 pstatus=4\nProcSteal dt=1 p=0 p_seq=1 m=0\n",
	  NULL, RUNNING_EVENTS "0/0/1 g1 Running->Syscall\n0/0/1 p0 Running->Running\n"
	  "1/-/- p0 Running->Idle\n" },
	{ "promoted in the context of the holder that is left", GO22 FREQ("1")
	  BATCH("1", "0", "0") "ProcStatus dt=1 p=0 pstatus=3\n"
	  BATCH("1", "1", "5") "ProcStatus dt=1 p=0 pstatus=3\nProcStatus dt=1 p=1 pstatus=1\n"
	  BATCH("1", "2", "9") "ProcStatus dt=1 p=0 pstatus=4\n", NULL,
	  "0/-/- p0 Undetermined->Running\n1/-/- p0 Running->Running\n"
	  "1/0/- p1 Undetermined->Running\n0/0/- p0 Running->Running\n" },
	{ "promoted without a holder", GO22 FREQ("1") BATCH("1", NONE, "0")
	  "ProcStatus dt=1 p=0 pstatus=3\nProcStatus dt=1 p=0 pstatus=4\n",
	  "failed to find sched context for proc 0 that's about to be stolen",
	  "-/-/- p0 Undetermined->Running\n" },
	{ "a start waits for the status", GO22 FREQ("1")
	  BATCH("1", "0", "0") "ProcStart dt=1 p=0 p_seq=1\n"
	  BATCH("1", "1", "9") "ProcStatus dt=1 p=0 pstatus=2\n", NULL,
	  "1/-/- p0 Undetermined->Idle\n0/-/- p0 Idle->Running\n" },
	{ "a start waits for a stop", GO22 FREQ("1")
	  BATCH("1", "0", "0") "ProcStart dt=1 p=0 p_seq=1\n"
	  BATCH("1", "1", "9") P0 "ProcStop dt=1\n", NULL,
	  "1/-/- p0 Undetermined->Running\n1/0/- p0 Running->Idle\n0/-/- p0 Idle->Running\n" },
	{ "a start waits for its number", GO22 FREQ("1")
	  BATCH("1", "0", "0") "ProcStatus dt=1 p=0 pstatus=2\nProcStart dt=1 p=0 p_seq=2\n"
	  BATCH("1", "1", "9") "ProcStart dt=1 p=0 p_seq=1\nProcStop dt=1\n", NULL,
	  "0/-/- p0 Undetermined->Idle\n1/-/- p0 Idle->Running\n1/0/- p0 Running->Idle\n"
	  "0/-/- p0 Idle->Running\n" },
	{ "a start waits while the thread has a proc", START P0
	  "ProcStatus dt=1 p=1 pstatus=2\nProcStart dt=1 p=1 p_seq=1\n",
	  "broken trace: failed to advance", P0_EVENT "0/0/- p1 Undetermined->Idle\n" },
	{ "a stop of an idle proc", GO22 FREQ("1")
	  BATCH("1", "0", "0") P0 "ProcStop dt=1\n" BATCH("1", "1", "0")
	  "ProcStatus dt=1 p=0 pstatus=1\nProcStop dt=9\n", "event ProcStop for proc (0)", NULL },
	{ "a steal waits for the syscall", GO22 FREQ("1")
	  BATCH("1", "1", "3") "ProcSteal dt=1 p=0 p_seq=2 m=0\n"
	  BATCH("1", "0", "1") P0 G1 "GoSyscallBegin dt=9 p_seq=1 stack=0\n"
	  "GoSyscallEndBlocked dt=1\n", NULL,
	  RUNNING_EVENTS "0/0/1 g1 Running->Syscall\n1/-/- p0 Running->Idle\n"
	  "0/-/1 g1 Syscall->Runnable\n" },
	{ "a steal waits for the proc", START "ProcSteal dt=1 p=0 p_seq=1 m=0\n",
	  "broken trace: failed to advance", "" },
	{ "a steal by nobody", GO22 FREQ("1") BATCH("1", NONE, "0")
	  "ProcStatus dt=1 p=0 pstatus=4\nProcSteal dt=1 p=0 p_seq=1 m=0\n",
	  "expected a thread but didn't have one", NULL },
	{ "a thread steals from itself", RUNNING "GoSyscallBegin dt=1 p_seq=1 stack=0\n"
	  "ProcSteal dt=1 p=0 p_seq=2 m=0\nGoSyscallEndBlocked dt=1\n"
	  "ProcStart dt=1 p=0 p_seq=3\nGoStart dt=1 g=1 g_seq=1\n", NULL,
	  RUNNING_EVENTS "0/0/1 g1 Running->Syscall\n0/0/1 p0 Running->Idle\n"
	  "0/-/1 g1 Syscall->Runnable\n0/-/- p0 Idle->Running\n0/0/- g1 Runnable->Running\n" },
	{ "a steal of another proc from itself", GO22 FREQ("1")
	  BATCH("1", "0", "0") P0 G1 "GoSyscallBegin dt=1 p_seq=1 stack=0\n"
	  BATCH("1", "1", "9") "ProcSteal dt=1 p=0 p_seq=2 m=1\n",
	  "tried to self-steal proc", NULL },
	{ "a steal from nobody", RUNNING "GoSyscallBegin dt=1 p_seq=1 stack=0\n"
	  "ProcSteal dt=1 p=0 p_seq=2 m=7\n", "stole proc from non-existent thread 7", NULL },
	{ "a steal from the wrong thread", GO22 FREQ("1")
	  BATCH("1", "0", "0") P0 G1 "GoSyscallBegin dt=1 p_seq=1 stack=0\n"
	  BATCH("1", "1", "5") "ProcStatus dt=1 p=1 pstatus=1\n"
	  BATCH("1", "2", "9") "ProcSteal dt=1 p=0 p_seq=2 m=1\n",
	  "tried to steal proc 0 from thread 1, but got proc 1 instead", NULL },
};

static const struct trace_row goroutines[] = {
	{ "created without a goroutine", START P0 "GoCreate dt=1 new_g=2 new_stack=0 stack=0\n",
	  NULL, P0_EVENT "0/0/- g2 NotExist->Runnable\n" },
	{ "created blocked", RUNNING "GoCreateBlocked dt=1 new_g=2 new_stack=0 stack=0\n",
	  NULL, RUNNING_EVENTS "0/0/1 g2 NotExist->Waiting\n" },
	{ "created twice", RUNNING "GoCreate dt=1 new_g=1 new_stack=0 stack=0\n",
	  "tried to create goroutine (1) that already exists", RUNNING_EVENTS },
	{ "created by one in a syscall", RUNNING "GoSyscallBegin dt=1 p_seq=1 stack=0\n"
	  "GoCreate dt=1 new_g=2 new_stack=0 stack=0\n", "event GoCreate for goroutine (1)",
	  NULL },
	{ "a start waits for the creation", GO22 FREQ("1")
	  BATCH("1", "1", "2") "ProcStatus dt=1 p=1 pstatus=1\nGoStart dt=1 g=2 g_seq=1\n"
	  BATCH("1", "0", "8") P0 G1 "GoCreate dt=1 new_g=2 new_stack=0 stack=0\n", NULL,
	  "1/-/- p1 Undetermined->Running\n" RUNNING_EVENTS "0/0/1 g2 NotExist->Runnable\n"
	  "1/1/- g2 Runnable->Running\n" },
	{ "a start waits for its number", RUNNING
	  "GoCreate dt=1 new_g=2 new_stack=0 stack=0\nGoBlock dt=1 reason_string=0 stack=0\n"
	  "GoStart dt=1 g=2 g_seq=2\n", "broken trace: failed to advance", NULL },
	{ "a start waits for the unblocking", GO22 FREQ("1")
	  BATCH("1", "0", "0") P0 G1 "GoBlock dt=1 reason_string=0 stack=0\n"
	  "GoStart dt=1 g=1 g_seq=2\n" BATCH("1", "1", "9") "GoUnblock dt=1 g=1 g_seq=1 stack=0\n",
	  NULL, RUNNING_EVENTS "0/0/1 g1 Running->Waiting\n1/-/- g1 Waiting->Runnable\n"
	  "0/0/- g1 Runnable->Running\n" },
	{ "an unblocking waits for the block", GO22 FREQ("1")
	  BATCH("1", NONE, "0") "GoUnblock dt=1 g=1 g_seq=1 stack=0\n"
	  BATCH("1", "0", "9") P0 G1 "GoBlock dt=1 reason_string=0 stack=0\n", NULL,
	  RUNNING_EVENTS "0/0/1 g1 Running->Waiting\n-/-/- g1 Waiting->Runnable\n" },
	{ "preempted and run again", RUNNING "GoStop dt=1 reason_string=0 stack=0\n"
	  "GoStart dt=1 g=1 g_seq=1\n", NULL,
	  RUNNING_EVENTS "0/0/1 g1 Running->Runnable\n0/0/- g1 Runnable->Running\n" },
	{ "numbers of the generation before do not count", RUNNING
	  "GoStop dt=1 reason_string=0 stack=0\n" FREQ("2") BATCH("2", "0", "9")
	  "GoStart dt=1 g=1 g_seq=1\n", "broken trace: failed to advance", NULL },
	{ "destroyed", RUNNING "GoDestroy dt=1\nGoCreate dt=1 new_g=1 new_stack=0 stack=0\n", NULL,
	  RUNNING_EVENTS "0/0/1 g1 Running->NotExist\n0/0/- g1 NotExist->Runnable\n" },
	{ "stopped in a syscall", RUNNING "GoSyscallBegin dt=1 p_seq=1 stack=0\n"
	  "GoStop dt=1 reason_string=0 stack=0\n", "event GoStop for goroutine (1)", NULL },
	{ "bound twice and gone", GO22 FREQ("1")
	  BATCH("1", "0", "0") P0 G1 "GoDestroy dt=5\n"
	  BATCH("1", "1", "2") "ProcStatus dt=1 p=1 pstatus=1\nGoStatus dt=1 g=1 m=1 gstatus=2\n"
	  "GoStop dt=9 reason_string=0 stack=0\n",
	  "event GoStop for goroutine (1) that doesn't exist", NULL },
	{ "a switch is three events", RUNNING "GoCreateBlocked dt=1 new_g=2 new_stack=0 stack=0\n"
	  "GoSwitch dt=1 g=2 g_seq=1\nGoSwitch dt=1 g=1 g_seq=1\n", NULL,
	  RUNNING_EVENTS "0/0/1 g2 NotExist->Waiting\n0/0/1 g2 Waiting->Runnable\n"
	  "0/0/1 g1 Running->Waiting\n0/0/- g2 Runnable->Running\n0/0/2 g1 Waiting->Runnable\n"
	  "0/0/2 g2 Running->Waiting\n0/0/- g1 Runnable->Running\n" },
	{ "a switch that ends a goroutine", RUNNING
	  "GoCreateBlocked dt=1 new_g=2 new_stack=0 stack=0\nGoSwitchDestroy dt=1 g=2 g_seq=1\n",
	  NULL, RUNNING_EVENTS "0/0/1 g2 NotExist->Waiting\n0/0/1 g2 Waiting->Runnable\n"
	  "0/0/1 g1 Running->NotExist\n0/0/- g2 Runnable->Running\n" },
	{ "a switch waits for its target", GO22 FREQ("1")
	  BATCH("1", "0", "0") P0 G1 "GoSwitch dt=1 g=2 g_seq=1\n"
	  BATCH("1", "1", "9") "GoStatus dt=1 g=2 m=" NONE " gstatus=4\n", NULL,
	  RUNNING_EVENTS "1/-/- g2 Undetermined->Waiting\n0/0/1 g2 Waiting->Runnable\n"
	  "0/0/1 g1 Running->Waiting\n0/0/- g2 Runnable->Running\n" },
	{ "a switch needs a running goroutine", RUNNING "GoSyscallBegin dt=1 p_seq=1 stack=0\n"
	  "GoSwitch dt=1 g=2 g_seq=1\n", "event GoSwitch for goroutine (1)", NULL },
};

static const struct trace_row statuses[] = {
	{ "beyond the known ones", START "GoStatus dt=1 g=1 m=0 gstatus=5\n",
	  "invalid status for goroutine", "" },
	{ "never written", START "GoStatus dt=1 g=1 m=0 gstatus=0\n",
	  "invalid status for goroutine", "" },
	{ "two different ones", RUNNING "GoStatus dt=1 g=1 m=0 gstatus=4\n",
	  "inconsistent status for goroutine", RUNNING_EVENTS },
	{ "new after the first generation", RUNNING FREQ("2") BATCH("2", "0", "9")
	  "GoStatus dt=1 g=2 m=" NONE " gstatus=4\n",
	  "found goroutine status for new goroutine after the first generation",
	  RUNNING_EVENTS },
	{ "the same in the next generation", RUNNING FREQ("2") BATCH("2", "0", "9") P0 G1, NULL,
	  RUNNING_EVENTS "0/0/1 p0 Running->Running\n0/0/1 g1 Running->Running\n" },
	{ "in a syscall without a thread", START "GoStatus dt=1 g=1 m=" NONE " gstatus=3\n",
	  "found goroutine 1 in syscall without a thread", "" },
	{ "in a syscall on its own thread", START "GoStatus dt=1 g=1 m=0 gstatus=3\n"
	  "GoSyscallEndBlocked dt=1\n", NULL,
	  "0/-/- g1 Undetermined->Syscall\n0/-/1 g1 Syscall->Runnable\n" },
	{ "in a syscall on a thread not seen yet", START "GoStatus dt=1 g=1 m=7 gstatus=3\n"
	  BATCH("1", "7", "9") "GoSyscallEndBlocked dt=1\n", NULL,
	  "7/-/- g1 Undetermined->Syscall\n7/-/1 g1 Syscall->Runnable\n" },
	{ "in a syscall on a thread with another goroutine", GO22 FREQ("1")
	  BATCH("1", "7", "0") "ProcStatus dt=1 p=0 pstatus=1\n"
	  BATCH("1", "0", "9") "GoStatus dt=1 g=1 m=7 gstatus=3\n",
	  "inconsistent thread for syscalling goroutine", NULL },
	{ "in a syscall on another thread, as known", GO22 FREQ("1")
	  BATCH("1", "0", "0") "GoStatus dt=1 g=1 m=0 gstatus=3\n"
	  BATCH("1", NONE, "9") "GoStatus dt=1 g=1 m=0 gstatus=3\n", NULL,
	  "0/-/- g1 Undetermined->Syscall\n0/-/1 g1 Syscall->Syscall\n" },
	{ "in a syscall here, in a later generation, but not bound", GO22 FREQ("1")
	  BATCH("1", "0", "0") "GoStatus dt=1 g=1 m=0 gstatus=3\n" FREQ("2")
	  BATCH("2", "1", "9") "GoStatus dt=1 g=1 m=1 gstatus=3\n",
	  "inconsistent thread for syscalling goroutine", NULL },
};

static const struct trace_row syscalls[] = {
	{ "in and out", RUNNING "GoSyscallBegin dt=1 p_seq=1 stack=0\nGoSyscallEnd dt=1\n", NULL,
	  RUNNING_EVENTS "0/0/1 g1 Running->Syscall\n0/0/1 g1 Syscall->Running\n" },
	{ "a wrong number fails at once", RUNNING "GoSyscallBegin dt=1 p_seq=2 stack=0\n",
	  "failed to advance GoSyscallBegin: can't make sequence", RUNNING_EVENTS },
	{ "a begin in a syscall", RUNNING "GoSyscallBegin dt=1 p_seq=1 stack=0\n"
	  "GoSyscallBegin dt=1 p_seq=2 stack=0\n", "event GoSyscallBegin for goroutine (1)",
	  NULL },
	{ "an end outside of a syscall", RUNNING "GoSyscallEnd dt=1\n",
	  "event GoSyscallEnd for goroutine (1)", RUNNING_EVENTS },
	{ "an end on a proc that is in none", START P0 "GoStatus dt=1 g=1 m=0 gstatus=3\n"
	  "GoSyscallEnd dt=1\n", "event GoSyscallEnd for proc (0)", NULL },
	{ "a blocked end outside of a syscall", RUNNING "GoSyscallEndBlocked dt=1\n",
	  "event GoSyscallEndBlocked for goroutine (1)", RUNNING_EVENTS },
	{ "a blocked end waits until the proc is lost", RUNNING
	  "GoSyscallBegin dt=1 p_seq=1 stack=0\nGoSyscallEndBlocked dt=1\n",
	  "broken trace: failed to advance", NULL },
	{ "a blocked end after a stop", RUNNING "GoSyscallBegin dt=1 p_seq=1 stack=0\n"
	  "ProcStop dt=1\nGoSyscallEndBlocked dt=1\n", NULL,
	  RUNNING_EVENTS "0/0/1 g1 Running->Syscall\n0/0/1 p0 Running->Idle\n"
	  "0/-/1 g1 Syscall->Runnable\n" },
	{ "a thread from C", START "GoCreateSyscall dt=1 new_g=9\nGoDestroySyscall dt=1\n", NULL,
	  "0/-/- g9 NotExist->Syscall\n0/-/9 g9 Syscall->NotExist\n" },
	{ "a thread from C with a goroutine", RUNNING "GoCreateSyscall dt=1 new_g=9\n",
	  "expected no goroutine but had one", RUNNING_EVENTS },
	{ "a thread from C, twice the same", START "GoCreateSyscall dt=1 new_g=9\n"
	  BATCH("1", "1", "9") "GoCreateSyscall dt=1 new_g=9\n",
	  "tried to create goroutine (9) that already exists", NULL },
	{ "a thread that leaves abandons its proc", START "GoCreateSyscall dt=1 new_g=9\n"
	  "ProcStatus dt=1 p=0 pstatus=2\nProcStart dt=1 p=0 p_seq=1\n"
	  "GoSyscallEndBlocked dt=1\nGoStart dt=1 g=9 g_seq=1\n"
	  "GoSyscallBegin dt=1 p_seq=2 stack=0\nGoDestroySyscall dt=1\n"
	  BATCH("1", "1", "20") "ProcSteal dt=1 p=0 p_seq=3 m=0\n", NULL,
	  "0/-/- g9 NotExist->Syscall\n0/-/9 p0 Undetermined->Idle\n0/-/9 p0 Idle->Running\n"
	  "0/0/9 g9 Syscall->Runnable\n0/0/- g9 Runnable->Running\n"
	  "0/0/9 g9 Running->Syscall\n0/0/9 p0 Running->Idle\n0/0/9 g9 Syscall->NotExist\n"
	  "1/-/- p0 Idle->Idle\n" },
	{ "a thread that leaves with a running proc", START P0
	  "GoStatus dt=1 g=1 m=0 gstatus=3\nGoDestroySyscall dt=1\n",
	  "event GoDestroySyscall with proc (0)", NULL },
	{ "a thread that leaves while it runs", RUNNING "GoDestroySyscall dt=1\n",
	  "event GoDestroySyscall for goroutine (1)", RUNNING_EVENTS },
};

static const struct trace_row ranges[] = {
	{ "stop-the-world", RUNNING "STWBegin dt=1 kind_string=0 stack=0\nSTWEnd dt=1\n", NULL,
	  RUNNING_EVENTS "0/0/1 RangeBegin\n0/0/1 RangeEnd\n" },
	{ "stop-the-world twice", RUNNING "STWBegin dt=1 kind_string=0 stack=0\n"
	  "STWBegin dt=1 kind_string=0 stack=0\n", "STWBegin: the range is in progress already",
	  NULL },
	{ "an end of nothing", RUNNING "STWEnd dt=1\n", "STWEnd: no such range is in progress",
	  RUNNING_EVENTS },
	{ "assists", RUNNING "GCMarkAssistBegin dt=1 stack=0\nGCMarkAssistEnd dt=1\n", NULL,
	  RUNNING_EVENTS "0/0/1 RangeBegin\n0/0/1 RangeEnd\n" },
	{ "an assist twice", RUNNING "GCMarkAssistBegin dt=1 stack=0\n"
	  "GCMarkAssistBegin dt=1 stack=0\n", "the range is in progress already", NULL },
	{ "an assist that was active before", RUNNING "GCMarkAssistActive dt=1 g=1\n"
	  "GCMarkAssistEnd dt=1\n", NULL,
	  RUNNING_EVENTS "0/0/1 RangeActive\n0/0/1 RangeEnd\n" },
	{ "an active assist of nobody", RUNNING "GCMarkAssistActive dt=1 g=5\n",
	  "event GCMarkAssistActive for goroutine (5) that doesn't exist", RUNNING_EVENTS },
	{ "an assist active twice in the first generation", RUNNING
	  "GCMarkAssistActive dt=1 g=1\nGCMarkAssistActive dt=1 g=1\n",
	  "the range is in progress already", NULL },
	{ "an assist active in the next generation", RUNNING "GCMarkAssistBegin dt=1 stack=0\n"
	  FREQ("2") BATCH("2", "0", "9") P0 G1 "GCMarkAssistActive dt=1 g=1\n", NULL, NULL },
	{ "an assist active in the next generation only", RUNNING
	  FREQ("2") BATCH("2", "0", "9") P0 G1 "GCMarkAssistActive dt=1 g=1\n",
	  "no such range is in progress", NULL },
	{ "a sweep", START P0 "GCSweepBegin dt=1 stack=0\n"
	  "GCSweepEnd dt=1 swept_value=3 reclaimed_value=2\n", NULL,
	  P0_EVENT "0/0/- RangeBegin\n0/0/- RangeEnd\n" },
	{ "a sweep twice", START P0 "GCSweepBegin dt=1 stack=0\nGCSweepBegin dt=1 stack=0\n",
	  "the range is in progress already", NULL },
	{ "the end of no sweep", START P0 "GCSweepEnd dt=1 swept_value=3 reclaimed_value=2\n",
	  "no such range is in progress", NULL },
	{ "a sweep without a proc", START "GCSweepBegin dt=1 stack=0\n",
	  "expected a proc but didn't have one", NULL },
	{ "an active sweep, from any thread", START P0 BATCH("1", NONE, "9")
	  "GCSweepActive dt=1 p=0\n", NULL, P0_EVENT "-/-/- RangeActive\n" },
	{ "an active sweep on no proc", START "GCSweepActive dt=1 p=0\n",
	  "event GCSweepActive for proc (0) that doesn't exist", "" },
	{ "the first collection has any number", START "GCBegin dt=1 gc_seq=7 stack=0\n" P0 G1
	  "GCEnd dt=1 gc_seq=8\nGCBegin dt=1 gc_seq=9 stack=0\n", NULL,
	  "0/-/- RangeBegin\n" RUNNING_EVENTS "0/0/1 RangeEnd\n0/0/1 RangeBegin\n" },
	{ "a collection waits for its number", GO22 FREQ("1")
	  BATCH("1", "0", "0") P0 G1 "GCBegin dt=1 gc_seq=1 stack=0\n" "GCBegin dt=1 gc_seq=3 stack=0\n"
	  BATCH("1", "1", "9") "ProcStatus dt=1 p=1 pstatus=1\nGoStatus dt=1 g=2 m=1 gstatus=2\n"
	  "GCEnd dt=1 gc_seq=2\n", NULL, NULL },
	{ "a collection in a collection", RUNNING "GCBegin dt=1 gc_seq=1 stack=0\n"
	  "GCBegin dt=1 gc_seq=2 stack=0\n", "the range is in progress already", NULL },
	{ "the end of no collection", RUNNING "GCBegin dt=1 gc_seq=1 stack=0\n"
	  "GCEnd dt=1 gc_seq=2\nGCEnd dt=1 gc_seq=3\n", "no such range is in progress", NULL },
	{ "the end of an unknown collection", RUNNING "GCEnd dt=1 gc_seq=1\n",
	  "no such range is in progress", RUNNING_EVENTS },
	{ "an active collection", START "GCActive dt=1 gc_seq=4\n" P0 G1 "GCEnd dt=1 gc_seq=5\n",
	  NULL, "0/-/- RangeActive\n" RUNNING_EVENTS "0/0/1 RangeEnd\n" },
	{ "a collection active twice in the first generation", START "GCActive dt=1 gc_seq=4\n"
	  "GCActive dt=1 gc_seq=5\n", "the range is in progress already", NULL },
	{ "a collection active in the next generation", RUNNING "GCBegin dt=1 gc_seq=4 stack=0\n"
	  FREQ("2") BATCH("2", "0", "9") "GCActive dt=1 gc_seq=5\nGCEnd dt=1 gc_seq=6\n", NULL,
	  NULL },
	{ "a collection not active in the next generation", RUNNING
	  "GCBegin dt=1 gc_seq=4 stack=0\nGCEnd dt=1 gc_seq=5\n" FREQ("2") BATCH("2", "0", "9")
	  "GCActive dt=1 gc_seq=6\n", "no such range is in progress", NULL },
};

#define WITH_STRINGS \
	GO22 FREQ("1") BATCH("1", NONE, "0") \
	"Strings\nString id=1\n\tdata=\"one\"\nString id=2\n\tdata=\"two\"\n" \
	"String id=3\n\tdata=\"one\"\n" BATCH("1", "0", "0") P0 G1
#define TASK(id) "UserTaskBegin dt=1 task=" id " parent_task=0 name_string=1 stack=0\n"
#define REGION(what, task, name) \
	"UserRegion" what " dt=1 task=" task " name_string=" name " stack=0\n"

static const struct trace_row annotations[] = {
	{ "a task", WITH_STRINGS TASK("5") "UserTaskEnd dt=1 task=5 stack=0\n", NULL,
	  RUNNING_EVENTS "0/0/1 TaskBegin\n0/0/1 TaskEnd\n" },
	{ "a task begun twice", WITH_STRINGS TASK("5") TASK("5"), "task ID conflict: 5", NULL },
	{ "a task id used again", WITH_STRINGS TASK("5") "UserTaskEnd dt=1 task=5 stack=0\n"
	  TASK("5"), NULL, NULL },
	{ "a task without its name", WITH_STRINGS
	  "UserTaskBegin dt=1 task=5 parent_task=0 name_string=9 stack=0\n",
	  "found invalid string ID 9 for event UserTaskBegin", NULL },
	{ "a task ended twice", WITH_STRINGS TASK("5") "UserTaskEnd dt=1 task=5 stack=0\n"
	  "UserTaskEnd dt=1 task=5 stack=0\n", NULL, NULL },
	{ "a task without a goroutine", START P0
	  "UserTaskBegin dt=1 task=5 parent_task=0 name_string=0 stack=0\n",
	  "expected a goroutine but didn't have one", NULL },
	{ "nested regions", WITH_STRINGS REGION("Begin", "0", "1") REGION("Begin", "0", "2")
	  REGION("End", "0", "2") REGION("End", "0", "1"), NULL, NULL },
	{ "a region that began before", WITH_STRINGS REGION("End", "0", "2"), NULL,
	  RUNNING_EVENTS "0/0/1 RegionEnd\n" },
	{ "a region with another name", WITH_STRINGS REGION("Begin", "0", "1")
	  REGION("End", "0", "2"), "misuse of region in goroutine", NULL },
	{ "a region with another id of the same name", WITH_STRINGS REGION("Begin", "0", "1")
	  REGION("End", "0", "3"), NULL, NULL },
	{ "a region of another task", WITH_STRINGS REGION("Begin", "0", "1")
	  REGION("End", "4", "1"), "misuse of region in goroutine", NULL },
	{ "a label", WITH_STRINGS "GoLabel dt=1 label_string=2\n", NULL,
	  RUNNING_EVENTS "0/0/1 Label\n" },
	{ "a log", WITH_STRINGS
	  "UserLog dt=1 task=0 key_string=1 value_string=2 stack=0\n", NULL,
	  RUNNING_EVENTS "0/0/1 Log\n" },
	{ "a log without its text", WITH_STRINGS
	  "UserLog dt=1 task=0 key_string=1 value_string=8 stack=0\n",
	  "found invalid string ID 8 for event UserLog", RUNNING_EVENTS },
	{ "a reason without its text", WITH_STRINGS "GoBlock dt=1 reason_string=4 stack=0\n",
	  "found invalid string ID 4 for event GoBlock", RUNNING_EVENTS },
	{ "a stack that is not there", WITH_STRINGS "GoBlock dt=1 reason_string=1 stack=4\n",
	  "found invalid stack ID 4 for event GoBlock", RUNNING_EVENTS },
	{ "a new goroutine's stack that is not there", WITH_STRINGS
	  "GoCreate dt=1 new_g=2 new_stack=6 stack=0\n",
	  "found invalid stack ID 6 for event GoCreate", RUNNING_EVENTS },
};

static void
test_contexts(void **state)
{
	(void)state;
	check_trace_rows(contexts, ARRAY_LENGTH(contexts));
}

static void
test_procs(void **state)
{
	(void)state;
	check_trace_rows(procs, ARRAY_LENGTH(procs));
}

static void
test_goroutines(void **state)
{
	(void)state;
	check_trace_rows(goroutines, ARRAY_LENGTH(goroutines));
}

static void
test_statuses(void **state)
{
	(void)state;
	check_trace_rows(statuses, ARRAY_LENGTH(statuses));
}

static void
test_syscalls(void **state)
{
	(void)state;
	check_trace_rows(syscalls, ARRAY_LENGTH(syscalls));
}

static void
test_ranges(void **state)
{
	(void)state;
	check_trace_rows(ranges, ARRAY_LENGTH(ranges));
}

static void
test_annotations(void **state)
{
	(void)state;
	check_trace_rows(annotations, ARRAY_LENGTH(annotations));
}

/* What a task's end says is what its begin said, in an earlier generation too. */
static void
test_task_end_remembers(void **state)
{
	static const char text[] = WITH_STRINGS
		"UserTaskBegin dt=1 task=5 parent_task=3 name_string=2 stack=0\n"
		FREQ("2") BATCH("2", "0", "9") P0 G1 "UserTaskEnd dt=1 task=5 stack=0\n"
		"UserTaskEnd dt=1 task=5 stack=0\n";
	struct readtrace got = { .refuse_event = 9 };
	(void)state;
	readtrace_text(&got, text);
	assert_false(got.ok);
	assert_int_equal(got.last.kind, GO_EVENT_TASK_END);
	assert_int_equal(got.last.u.task.parent, 3);
	assert_string_equal(intern_text(&got.strings, got.last.u.task.name, NULL), "two");
	readtrace_release(&got);

	got.refuse_event = 10;
	readtrace_text(&got, text);
	assert_int_equal(got.last.kind, GO_EVENT_TASK_END);
	assert_int_equal(got.last.u.task.parent, GO_ID_NONE);
	assert_int_equal(got.last.u.task.name, STRING_EMPTY);
	readtrace_release(&got);
}

/* Two kinds at once on one goroutine: the one that began first ends first. */
static void
test_stop_the_world_kinds(void **state)
{
	static const char text[] = WITH_STRINGS "STWBegin dt=1 kind_string=1 stack=0\n"
		"STWBegin dt=1 kind_string=2 stack=0\nSTWEnd dt=1\nSTWEnd dt=1\n";
	static const char *const kinds[] = { "one", "two" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
		/* Sync, two statuses and two begins come before the ends. */
		struct readtrace got = { .refuse_event = 7 + i };
		readtrace_text(&got, text);
		assert_int_equal(got.last.kind, GO_EVENT_RANGE_END);
		assert_int_equal(got.last.u.range.scope_g, 1);
		assert_string_equal(intern_text(&got.strings, got.last.u.range.detail, NULL),
		                    kinds[i]);
		readtrace_release(&got);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contexts),
		cmocka_unit_test(test_procs),
		cmocka_unit_test(test_goroutines),
		cmocka_unit_test(test_statuses),
		cmocka_unit_test(test_syscalls),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_annotations),
		cmocka_unit_test(test_task_end_remembers),
		cmocka_unit_test(test_stop_the_world_kinds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
