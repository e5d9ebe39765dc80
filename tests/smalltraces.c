/* The traces, as text. */
#include "smalltraces.h"

#include "gotrace_testing.h"

#define BODY(gen) \
	BATCH(gen, "0", "100") P0 G1 \
	"ProcsChange dt=1 procs_value=2 stack=1\nHeapGoal dt=1 heapgoal_value=4096\n" \
	"UserTaskBegin dt=1 task=" gen " parent_task=0 name_string=1 stack=1\n" \
	"UserRegionBegin dt=1 task=" gen " name_string=2 stack=0\n" \
	"UserLog dt=1 task=" gen " key_string=1 value_string=2 stack=2\n" \
	"GoSyscallBegin dt=1 p_seq=1 stack=2\nGoSyscallEnd dt=1\n" \
	"UserRegionEnd dt=1 task=" gen " name_string=2 stack=0\n" \
	"GoBlock dt=1 reason_string=2 stack=1\n" \
	BATCH(gen, "1", "108") "ProcStatus dt=1 p=1 pstatus=2\nProcStart dt=1 p=1 p_seq=1\n" \
	"GoUnblock dt=200 g=1 g_seq=1 stack=0\nGoStart dt=1 g=1 g_seq=2\n" \
	"GoStop dt=1 reason_string=1 stack=2\nProcStop dt=1\n" \
	BATCH(gen, NONE, "90") \
	"Strings\nString id=1\n\tdata=\"one\"\nString id=2\n\tdata=\"two\"\n" \
	BATCH(gen, NONE, "90") "Stacks\nStack id=1 nframes=2\n\tpc=1 func=1 file=2 line=3\n" \
	"\tpc=2 func=2 file=2 line=4\nStack id=2 nframes=1\n\tpc=2 func=2 file=2 line=4\n" \
	BATCH(gen, NONE, "90") "CPUSamples\nCPUSample time=105 m=0 p=0 g=1 stack=1\n"

const struct small_trace small_traces[SMALL_TRACES] = {
	{ "1.22", GO22 FREQ("1") BODY("1") FREQ("2")
	  BATCH("2", "0", "500") "ProcStatus dt=1 p=0 pstatus=1\n"
	  "GoStatus dt=1 g=1 m=" NONE " gstatus=1\nGoStart dt=1 g=1 g_seq=1\n" },
	{ "1.25", GO25 SYNC("1") BODY("1") SYNC("2")
	  BATCH("2", "0", "500") "ProcStatus dt=1 p=0 pstatus=1\n"
	  "GoStatus dt=1 g=1 m=" NONE " gstatus=1\nGoStart dt=1 g=1 g_seq=1\n" },
	{ "1.26", GO26 SYNC("1") BODY("1")
	  "ExperimentalBatch exp=1 gen=1 m=0 time=0\n\tdata=\"abc\"\nEndOfGeneration\n" SYNC("2")
	  BATCH("2", "0", "500") "ProcStatus dt=1 p=0 pstatus=1\n"
	  "GoStatus dt=1 g=1 m=" NONE " gstatus=1\nGoStart dt=1 g=1 g_seq=1\nEndOfGeneration\n" },
};
