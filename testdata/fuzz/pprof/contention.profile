--- contentionz 1 ---
cycles/second = 3201000000
sampling period = 100
ms since reset = 16502830
discarded samples = 0
19490304 27 @ 0xbccc97 0xc61202 0x42ed5f
768 1 @ 0xbccc97 0xa42dc7
MAPPED_LIBRARIES:
00400000-00fcb000: cppbench_server_main
