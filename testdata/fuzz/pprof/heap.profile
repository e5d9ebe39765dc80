heap profile: 31: 44752 [34: 49256] @ heap/8192
0: 0 [0: 0] @ 0x47c60c 0x47f5a9 0x4c6551 0x4c6405 0x4c46c9 0x4da292 0x44cd95 0x4844e1
#	0x4c6550	runtime/pprof.writeHeapInternal+0xb0	runtime/pprof/pprof.go:653
#	0x4c6404	runtime/pprof.writeHeap+0x24		runtime/pprof/pprof.go:622
#	0x4c46c8	runtime/pprof.(*Profile).WriteTo+0x148	runtime/pprof/pprof.go:408
#	0x4da291	main.main+0x351				example.com/legacy/main.go:37
#	0x44cd94	runtime.main+0x2d4			runtime/proc.go:290

0: 0 [1: 4096] @ 0x47c60c 0x47fb47 0x4da01e 0x4d9f80 0x44cd95 0x4844e1
#	0x4da01d	main.hold+0xdd		example.com/legacy/main.go:15
#	0x4d9f7f	main.main+0x3f		example.com/legacy/main.go:25
#	0x44cd94	runtime.main+0x2d4	runtime/proc.go:290

0: 0 [1: 384] @ 0x47c605 0x47fb47 0x4da01e 0x4d9f80 0x44cd95 0x4844e1
#	0x4da01d	main.hold+0xdd		example.com/legacy/main.go:15
#	0x4d9f7f	main.main+0x3f		example.com/legacy/main.go:25
#	0x44cd94	runtime.main+0x2d4	runtime/proc.go:290

0: 0 [1: 24] @ 0x47c605 0x47fb47 0x4da01e 0x4d9f80 0x44cd95 0x4844e1
#	0x4da01d	main.hold+0xdd		example.com/legacy/main.go:15
#	0x4d9f7f	main.main+0x3f		example.com/legacy/main.go:25
#	0x44cd94	runtime.main+0x2d4	runtime/proc.go:290

1: 112 [1: 112] @ 0x47c605 0